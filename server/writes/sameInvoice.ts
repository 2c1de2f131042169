import StandardDecimal from 'decimal.js-light';
import { looksLikeIban } from '#contract/iban.ts';
import type { Payment } from '#contract/payment.ts';
import { comparison } from '#server/companies/comparableText.ts';
import type { LineFacts } from '#server/storage/schema.ts';

/** A creditor's id and account, which stand for one payee. */
export interface KnownPayee {
  creditorId: string;
  identification: string;
}

const Decimal = StandardDecimal.clone({ precision: 40 });

/** Returns an amount and its currency, without insignificant zeros. */
const sumOf = ({ amount, currency }: Payment['instructedAmount']): string =>
  `${new Decimal(amount).toString()}:${currency}`;

/** The values of a fact are separated by blanks, of which a compared text has none. */
const blank = ' ';
const listed = (texts: readonly string[]): string => [...new Set(texts)].filter(Boolean).join(blank);
const valuesOf = (fact: string): string[] => fact.split(blank).filter(Boolean);

/** Whether a payment names its payee by a creditor's id without an account, or the reverse. */
export const isHalfNamed = ({ creditor, creditorAccount }: Payment): boolean =>
  (comparison.text(creditor.creditorId) === '') !== (comparison.number(creditorAccount?.identification ?? '') === '');

/**
 * Returns what tells which invoice a payment pays. `known` are the company's creditors, of which an id stands for its
 * account, and an account for its ids. The second number of an account is no fact: who leaves it out pays the same payee.
 */
export function lineOf(
  { instructedAmount, creditor, creditorAccount, remittanceInformation = {} }: Payment,
  known: readonly KnownPayee[] = [],
): LineFacts {
  const { text, number } = comparison;
  const id = text(creditor.creditorId);
  const account = number(creditorAccount?.identification ?? '');
  const payees = known.map((each) => ({ id: text(each.creditorId), account: number(each.identification) }));
  const accounts =
    account || id === '' ? [account] : payees.filter((each) => each.id === id).map((each) => each.account);
  const ids = id || account === '' ? [id] : payees.filter((each) => each.account === account).map((each) => each.id);
  return {
    reference: text(remittanceInformation.reference),
    note: text(remittanceInformation.unstructured),
    sum: sumOf(instructedAmount),
    payee_ids: listed(ids),
    ibans: listed(accounts.filter(looksLikeIban)),
    numbers: listed(accounts.filter((each) => !looksLikeIban(each))),
    name: text(creditor.name),
  };
}

/** Returns a line with the tag of each value in its place. */
export const taggedLine = (line: LineFacts, tag: (value: string) => string): LineFacts =>
  Object.fromEntries(
    Object.entries(line).map(([name, fact]: [string, string]) => [name, listed(valuesOf(fact).map(tag))]),
  ) as Record<keyof LineFacts, string>; // the same members

/**
 * What names a payee. What both lines state of a kind is equal or different; an IBAN and a national number are two kinds, of
 * which neither denies the other.
 */
const payeeKinds = ['payee_ids', 'ibans', 'numbers'] as const;

/**
 * Whether two lines may be for one claim: they have the same reference. If one of them has none, its text may be the other's
 * reference, or their sums are equal; if both have none, two texts that differ are two claims.
 */
function isSameClaim(one: LineFacts, other: LineFacts): boolean {
  if (one.reference && other.reference) return one.reference === other.reference;
  const isNamed = one.reference !== other.reference;
  if (isNamed && (one.reference || one.note) === (other.reference || other.note)) return true;
  if (!isNamed && one.note && other.note && one.note !== other.note) return false;
  return one.sum !== '' && one.sum === other.sum;
}

/** Whether two lines may pay one payee. Its name decides only if they state nothing else in common. */
function isSamePayee(one: LineFacts, other: LineFacts): boolean {
  const common = payeeKinds.filter((kind) => one[kind] && other[kind]);
  if (common.length === 0) return !one.name || !other.name || one.name === other.name;
  return common.some((kind) => valuesOf(one[kind]).some((value) => valuesOf(other[kind]).includes(value)));
}

/** Whether two lines may pay one invoice: the same claim of the same payee. Their values may be hashed, all in one way. */
export const sameInvoice = (one: LineFacts, other: LineFacts): boolean =>
  isSameClaim(one, other) && isSamePayee(one, other);

/**
 * Finds, among lines, those that may pay the same invoice as another one, without comparing each with each. Two lines with
 * references are compared by these alone, so that a payroll of equal sums is no list of candidates.
 */
export function createLineIndex<Line extends LineFacts>(lines: Iterable<Line> = []) {
  const found = {
    text: new Map<string, Line[]>(),
    named: new Map<string, Line[]>(),
    unnamed: new Map<string, Line[]>(),
  };
  const put = (by: Map<string, Line[]>, key: string, line: Line): void => {
    if (key === '') return;
    const others = by.get(key);
    if (others) others.push(line);
    else by.set(key, [line]);
  };
  const index = {
    add(line: Line): void {
      const { reference, note, sum } = line;
      put(found.text, reference || note, line);
      put(reference ? found.named : found.unnamed, sum, line);
    },
    like(line: LineFacts): Line[] {
      const { reference, note, sum } = line;
      const candidates = [
        found.text.get(reference || note),
        found.unnamed.get(sum),
        reference ? undefined : found.named.get(sum),
      ];
      return [...new Set(candidates.flatMap((each) => each?.filter((other) => sameInvoice(line, other)) ?? []))];
    },
  };
  for (const line of lines) index.add(line);
  return index;
}
