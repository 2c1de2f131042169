import type { BatchRequest, Payment } from '#contract/payment.ts';
import { dayNote, schemeFor, type Scheme } from './bankingDays.ts';

/** What page and server say of a batch that refuses nothing: days without processing, and addresses without a town. */

/** Whether and how banks demand more of the addresses of payments, by the reach of these. */
const reaches = [
  {
    reach: 'in euro',
    scheme: 'SEPA',
    includes: ({ instructedAmount }: Payment) => instructedAmount.currency === 'EUR',
  },
  {
    reach: 'across borders',
    scheme: 'CBPR+',
    includes: ({ instructedAmount, creditor: { postalAddress } }: Payment, country: string) =>
      instructedAmount.currency !== 'EUR' && country !== '' && (postalAddress?.countryCode || country) !== country,
  },
] as const;

/** Maximum number of creditors that a sentence names. */
const mostNamed = 3;

const isFilled = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

/** Whether a payment's creditor has an address, with no town apart from its lines. */
function lacksTown({ creditor: { postalAddress = {} } }: Payment): boolean {
  const { townName, ...others } = postalAddress;
  return Object.values(others).some(isFilled) && !isFilled(townName);
}

/** The country of an account with an IBAN; otherwise `country`. */
const countryOf = (account: string, country: string): string => /^([A-Z]{2})\d{2}/.exec(account)?.[1] ?? country;

/**
 * Says of which creditors' addresses a bank may refuse a payment in euro or across borders. `country` is the payer's,
 * alpha-2, unless its account has an IBAN; '' if unknown.
 */
export function addressNotes(
  { payments, debtorAccount }: Pick<BatchRequest, 'payments' | 'debtorAccount'>,
  country: string,
): string[] {
  const payer = countryOf(debtorAccount?.identification ?? '', country);
  return reaches.flatMap(({ reach, scheme, includes }) => {
    const lacking = payments.filter((each) => includes(each, payer) && lacksTown(each));
    const names = [...new Set(lacking.map(({ creditor: { name } }) => name))];
    if (names.length === 0) return [];
    const more = names.length - mostNamed;
    const named = names.slice(0, mostNamed).join(', ') + (more > 0 ? ` and ${more} more` : '');
    return `The address of ${named} names no town apart from its lines. From 15 November 2026 on, a bank may refuse such an address in a payment ${reach} (${scheme}).`;
  });
}

export const currenciesOf = (payments: readonly Pick<Payment, 'instructedAmount'>[]): string[] => [
  ...new Set(payments.map(({ instructedAmount: { currency } }) => currency)),
];

/** The schemes through which payments in these currencies go. `means`: see `schemeFor`. */
export const schemesOf = (currencies: readonly string[], means: string): Scheme[] =>
  currencies.flatMap((currency) => schemeFor(means, currency) ?? []);

/** What there is to say of a day, YYYY-MM-DD, on which these schemes are to process. */
export const dayNotes = (schemes: readonly Scheme[], day: string): string[] =>
  schemes.map((scheme) => dayNote(scheme, day)).filter(Boolean);
