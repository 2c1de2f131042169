import currencies from 'currency-codes';

/** Maximum number of decimals of any currency; for most ISO 4217 sets fewer. */
const mostDecimals = 4;

/** The number of decimals of a currency by ISO 4217: 2 for GBP, 0 for JPY; 4 for an unknown code. */
export const minorUnits = (currency: string): number => currencies.code(currency)?.digits ?? mostDecimals;

const isZero = (amount: string): boolean => /^[0.]*$/.test(amount);

/**
 * The reason why an amount cannot be paid, in one sentence; '' if it can. `amount` is a decimal string in major units.
 */
export function amountFlaw(amount: string, currency: string): string {
  if (isZero(amount)) return 'an amount above 0 is needed';
  const most = minorUnits(currency);
  const decimals = amount.split('.')[1]?.length ?? 0;
  if (decimals <= most) return '';
  return most === 0 ? `${currency} has no decimals` : `${currency} has at most ${most} decimals`;
}
