import currencies from 'currency-codes';

/** Most decimals of any currency; ISO 4217 sets fewer for most. */
const mostDecimals = 4;

/** Decimals of a currency's amounts by ISO 4217: 2 for GBP, 0 for JPY; 4 for a code that is not known here. */
export const minorUnits = (currency: string): number => currencies.code(currency)?.digits ?? mostDecimals;

const isZero = (amount: string): boolean => /^[0.]*$/.test(amount);

/** Why this is no amount to pay, in one sentence; '' if it is one. `amount` is a decimal string in major units. */
export function amountFlaw(amount: string, currency: string): string {
  if (isZero(amount)) return 'an amount above 0 is needed';
  const most = minorUnits(currency);
  const decimals = amount.split('.')[1]?.length ?? 0;
  if (decimals <= most) return '';
  return most === 0 ? `${currency} has no decimals` : `${currency} has at most ${most} decimals`;
}
