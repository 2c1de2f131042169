import { currenciesByDecimals } from './currencies.ts';

const decimalsByCurrency = new Map(
  Object.entries(currenciesByDecimals).flatMap(([decimals, codes]) =>
    codes
      .trim()
      .split(/\s+/)
      .map((code) => [code, Number(decimals)] as const),
  ),
);

/** The number of decimals of a currency by ISO 4217: 2 for GBP, 0 for JPY; undefined if nothing can be paid in it. */
export const minorUnits = (currency: string): number | undefined => decimalsByCurrency.get(currency);

/**
 * Matches a decimal string in major units, in its only spelling: no sign, blank, exponent, grouping or leading zero.
 * Its decimals may end with zeros.
 */
export const amountPattern = /^(0|[1-9]\d{0,12})(\.\d{1,4})?$/;

/** What an amount looks like, as part of a sentence. */
export const amountShape = 'an amount such as 120.50';

/** The number of decimals that an amount has. */
export const decimalsIn = (amount: string): number => amount.split('.')[1]?.length ?? 0;

/**
 * Returns why nothing can be paid in a currency, in one sentence; '' if it can. A code of ISO 4217 without a minor unit
 * (gold, the code for tests) is refused like one that is unknown or withdrawn.
 */
export const currencyFlaw = (currency: string): string =>
  minorUnits(currency) !== undefined
    ? ''
    : /^[A-Z]{3}$/.test(currency)
      ? `${currency} is no currency of ISO 4217 for payments: give a currency such as GBP`
      : 'a currency such as GBP';

/** Returns why an amount cannot be paid in a currency, in one sentence; '' if it can. */
export function amountFlaw(amount: string, currency: string): string {
  if (!amountPattern.test(amount)) return amountShape;
  if (/^[0.]*$/.test(amount)) return 'an amount above 0 is needed';
  const most = minorUnits(currency);
  if (most === undefined) return currencyFlaw(currency);
  const given = decimalsIn(amount);
  if (given <= most) return '';
  return `${currency} has ${most === 0 ? 'no decimals' : `at most ${most} decimals`}, ${amount} has ${given}`;
}

/**
 * The amount without decimals that its currency does not have, if these are all 0: 10.00 becomes 10 JPY. Any other
 * amount is returned unchanged, because no digit is ever cut.
 */
export function inCurrency(amount: string, currency: string): string {
  const [whole = '', fraction = ''] = amount.split('.');
  const kept = fraction.slice(0, minorUnits(currency) ?? fraction.length);
  if (/[^0]/.test(fraction.slice(kept.length))) return amount;
  return kept === '' ? whole : `${whole}.${kept}`;
}

/** Converts an amount to an integer scaled by 10^`places`, which must not be fewer than its decimals. */
export const unitsOf = (amount: string, places: number): bigint =>
  BigInt(amount.replace('.', '') + '0'.repeat(places - decimalsIn(amount)));

/** Converts such an integer back to an amount. */
export function amountOf(units: bigint, places: number): string {
  const digits = String(units).padStart(places + 1, '0');
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}
