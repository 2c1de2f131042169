import StandardDecimal from 'decimal.js-light';
import { looksLikeIban } from '#contract/iban.ts';
import type { Payment } from '#contract/payment.ts';
import { comparison } from '#server/companies/comparableText.ts';

/**
 * What tells which invoice a payment pays. Each fact is empty if the payment does not state it. A fact of the payee may have
 * several values: a creditor may be stored under two ids with one account.
 */
export interface InvoiceLine {
  reference: string;
  /** The text for the payee. */
  note: string;
  /** The amount and its currency. */
  sum: string;
  payeeIds: readonly string[];
  /** Accounts, each with its second number if it has one. An IBAN and a national number are two kinds: neither denies the other. */
  ibans: readonly Account[];
  numbers: readonly Account[];
  name: string;
}

export interface Account {
  first: string;
  /** '' if it has none. */
  second: string;
}

/** A creditor's id and account, which stand for one payee. */
export interface KnownPayee {
  creditorId: string;
  identification: string;
  secondaryIdentification: string;
}

const Decimal = StandardDecimal.clone({ precision: 40 });

/** Returns an amount and its currency, without insignificant zeros. */
const sumOf = ({ amount, currency }: Payment['instructedAmount']): string =>
  `${new Decimal(amount).toString()} ${currency}`;

const accountOf = (identification = '', secondaryIdentification = ''): Account[] => {
  const { number } = comparison;
  const first = number(identification);
  return first === '' ? [] : [{ first, second: number(secondaryIdentification) }];
};

/** Whether a payment names its payee by a creditor's id without an account, or the reverse. */
export const isHalfNamed = ({ creditor, creditorAccount }: Payment): boolean =>
  (comparison.text(creditor.creditorId) === '') !== (comparison.number(creditorAccount?.identification ?? '') === '');

/**
 * Returns what tells which invoice a payment pays. `known` are the company's creditors, of which an id stands for its
 * account, and an account for its ids.
 */
export function lineOf(
  { instructedAmount, creditor, creditorAccount, remittanceInformation = {} }: Payment,
  known: readonly KnownPayee[] = [],
): InvoiceLine {
  const { text } = comparison;
  const id = text(creditor.creditorId);
  const own = accountOf(creditorAccount?.identification, creditorAccount?.secondaryIdentification);
  const accountIn = (each: KnownPayee) => accountOf(each.identification, each.secondaryIdentification);
  const accounts =
    own.length > 0 || id === '' ? own : known.filter((each) => text(each.creditorId) === id).flatMap(accountIn);
  const payeeIds =
    id !== '' || own.length === 0
      ? [id].filter(Boolean)
      : known.filter((each) => isSameAccount(own, accountIn(each))).map(({ creditorId }) => text(creditorId));
  return {
    reference: text(remittanceInformation.reference),
    note: text(remittanceInformation.unstructured),
    sum: sumOf(instructedAmount),
    payeeIds,
    ibans: accounts.filter(({ first }) => looksLikeIban(first)),
    numbers: accounts.filter(({ first }) => !looksLikeIban(first)),
    name: text(creditor.name),
  };
}

const isSameAccount = (some: readonly Account[], others: readonly Account[]): boolean =>
  some.some((one) =>
    others.some(
      ({ first, second }) => first === one.first && (second === '' || one.second === '' || second === one.second),
    ),
  );

/** Whether two values of one kind agree; undefined unless both payments state it. */
const agreeing = <Value>(
  one: readonly Value[],
  other: readonly Value[],
  agree: (one: readonly Value[], other: readonly Value[]) => boolean,
): boolean | undefined => (one.length === 0 || other.length === 0 ? undefined : agree(one, other));

/**
 * Whether two payments may go to one payee: an id or an account that both state decides; the name does if they state none in
 * common. Who is not named at all may be anybody.
 */
function isSamePayee(one: InvoiceLine, other: InvoiceLine): boolean {
  const facts = [
    agreeing(one.payeeIds, other.payeeIds, (ids, others) => ids.some((id) => others.includes(id))),
    agreeing(one.ibans, other.ibans, isSameAccount),
    agreeing(one.numbers, other.numbers, isSameAccount),
  ].filter((fact) => fact !== undefined);
  const isSameName = one.name === '' || other.name === '' || one.name === other.name;
  return facts.length === 0 ? isSameName : facts.includes(true);
}

/**
 * Whether two payments may be for one claim: they have the same reference. If one of them has none, its text may be the
 * other's reference, or their sums are equal; if both have none, two texts that differ are two claims.
 */
function isSameClaim(one: InvoiceLine, other: InvoiceLine): boolean {
  if (one.reference && other.reference) return one.reference === other.reference;
  const [named, bare] = one.reference ? [one, other] : [other, one];
  if (named.reference && named.reference === bare.note) return true;
  const isOtherText = named.reference === '' && one.note !== '' && other.note !== '' && one.note !== other.note;
  return !isOtherText && one.sum !== '' && one.sum === other.sum;
}

/** Whether two payments may pay one invoice: the same claim of the same payee. Facts may be hashed, all in one way. */
export const sameInvoice = (one: InvoiceLine, other: InvoiceLine): boolean =>
  isSameClaim(one, other) && isSamePayee(one, other);

/** Finds, among lines, those that may pay the same invoice as another one, without comparing each with each. */
export function createLineIndex<Entry extends { line: InvoiceLine }>(entries: Iterable<Entry> = []) {
  const [byReference, byNote, bySum] = [
    new Map<string, Entry[]>(),
    new Map<string, Entry[]>(),
    new Map<string, Entry[]>(),
  ];
  const put = (into: Map<string, Entry[]>, key: string, entry: Entry) => {
    const known = into.get(key);
    if (known) known.push(entry);
    else into.set(key, [entry]);
  };
  const index = {
    add(entry: Entry): void {
      const { reference, note, sum } = entry.line;
      if (reference) put(byReference, reference, entry);
      else if (note) put(byNote, note, entry);
      put(bySum, `${reference ? 'referenced' : 'bare'} ${sum}`, entry);
    },
    like(line: InvoiceLine): Entry[] {
      const { reference, note, sum } = line;
      const found = new Set([
        ...(byReference.get(reference || note) ?? []),
        ...(reference ? (byNote.get(reference) ?? []) : []),
        ...(bySum.get(`bare ${sum}`) ?? []),
        ...(reference ? [] : (bySum.get(`referenced ${sum}`) ?? [])),
      ]);
      return [...found].filter((entry) => sameInvoice(line, entry.line));
    },
  };
  for (const entry of entries) index.add(entry);
  return index;
}
