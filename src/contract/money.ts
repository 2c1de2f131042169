import currencies from 'currency-codes';

/** Maximum number of decimals of any currency; most currencies of ISO 4217 have fewer. */
const mostDecimals = 4;

/** Caches the latest answers of `minorUnits`: a look-up takes as long as reading a payment. */
const known = new Map<string, number>();
const mostKnown = 500;

/** The number of decimals of a currency by ISO 4217: 2 for GBP, 0 for JPY; 4 for an unknown code. */
export function minorUnits(currency: string): number {
  const digits = known.get(currency) ?? currencies.code(currency)?.digits ?? mostDecimals;
  if (known.size >= mostKnown) known.clear();
  known.set(currency, digits);
  return digits;
}

const isZero = (amount: string): boolean => /^[0.]*$/.test(amount);

/** Returns why an amount cannot be paid, in one sentence; '' if it can. `amount` is a decimal string in major units. */
export function amountFlaw(amount: string, currency: string): string {
  if (isZero(amount)) return 'an amount above 0 is needed';
  const most = minorUnits(currency);
  const decimals = amount.split('.')[1]?.length ?? 0;
  if (decimals <= most) return '';
  return most === 0 ? `${currency} has no decimals` : `${currency} has at most ${most} decimals`;
}
