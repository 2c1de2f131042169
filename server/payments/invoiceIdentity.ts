import { hash as sha256 } from 'node:crypto';
import StandardDecimal from 'decimal.js-light';
import { looksLikeIban } from '#contract/iban.ts';
import type { BatchRequest, Payment } from '#contract/payment.ts';
import { quoted } from '#server/http/json.ts';
import { comparison, earlierComparison } from '#server/companies/comparableText.ts';
import type { Comparison } from '#server/companies/comparableText.ts';

/** A batch with or without its externalId. */
export type Batch = Omit<BatchRequest, 'externalId'> & { externalId?: string };

const Decimal = StandardDecimal.clone({ precision: 40 });

const digest = (text: string): string => sha256('sha256', text, 'base64url').slice(0, 22);
/** Returns a hash of several texts. */
export const hash = (parts: readonly string[]): string => digest(JSON.stringify(parts));

/** A creditor's id and account, which are two names of one payee. */
export interface KnownPayee {
  creditorId: string;
  identification: string;
  secondaryIdentification: string;
}

/** A payee; each part is a JSON fragment, to be joined into the list that is hashed. */
interface Payee {
  /**
   * The creditor's id and the account, or the name if there is neither. Omits the bank, which may be written in several
   * ways or be absent.
   */
  identities: string[];
  name: string;
  /** The accounts' first numbers. */
  numbers: string[];
  /** What the payee is identified by; only one who is not known otherwise may have the same account or id as another. */
  by: 'name' | 'id' | 'account' | 'id and account';
  /** Whether the account has only a first number. */
  isNumbered: boolean;
  /** In which ways the account is written. */
  written: Set<'iban' | 'national'>;
}

function groupedBy<T>(all: readonly T[], keyOf: (each: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const each of all) {
    const group = groups.get(keyOf(each));
    if (group) group.push(each);
    else groups.set(keyOf(each), [each]);
  }
  return groups;
}

/** Makes the identities of a payee that texts normalised in one way have. */
function payeeBy({ text, number }: Comparison, known: readonly KnownPayee[]) {
  const byId = groupedBy(known, ({ creditorId }) => text(creditorId));
  const byNumber = groupedBy(known, ({ identification }) => number(identification));

  const idIdentities = (written: string): string[] => {
    const id = text(written);
    // Also as written: earlier versions stored attempts without normalising the id.
    const forms = written && written !== id ? [written, id] : [id];
    return forms.filter(Boolean).map((each) => `"creditor",${quoted(each)}`);
  };
  const accountIdentity = (first: string, second: string) => `"account",${quoted(first)},${quoted(second)}`;

  return ({ creditor, creditorAccount }: Payment): Payee => {
    const { identification = '', secondaryIdentification = '' } = creditorAccount ?? {};
    const { creditorId: written = '' } = creditor;
    const [id, first, second] = [text(written), number(identification), number(secondaryIdentification)];
    const accounts = (id && !first ? (byId.get(id) ?? []) : [])
      .map((each) => [number(each.identification), number(each.secondaryIdentification)] as const)
      .filter(([its]) => its !== '');
    const ids = (first && !id ? (byNumber.get(first) ?? []) : []).filter((each) => {
      const its = number(each.secondaryIdentification);
      return its === second || its === '' || second === '';
    });
    const identities = [
      ...idIdentities(written),
      ...(first ? [accountIdentity(first, second)] : []),
      ...accounts.map(([its, other]) => accountIdentity(its, other)),
      ...ids.flatMap(({ creditorId }) => idIdentities(creditorId)),
    ];
    const name = quoted(text(creditor.name));
    const numbers = [first, ...accounts.map(([its]) => its)].filter(Boolean);
    const [hasId, hasAccount] = [id !== '' || ids.length > 0, first !== '' || accounts.length > 0];
    return {
      identities: identities.length > 0 ? [...new Set(identities)] : [`"name",${name}`],
      name,
      numbers: [...new Set(numbers)].map(quoted),
      by: hasId ? (hasAccount ? 'id and account' : 'id') : hasAccount ? 'account' : 'name',
      isNumbered: first ? second === '' : accounts.every(([, other]) => other === ''),
      written: new Set(numbers.map((each) => (looksLikeIban(each) ? 'iban' : 'national'))),
    };
  };
}

/** Whether a payment names its payee by a creditor's id without an account, or the reverse. */
export const isHalfNamed = ({ creditor, creditorAccount }: Payment): boolean =>
  (comparison.text(creditor.creditorId) === '') !== (comparison.number(creditorAccount?.identification ?? '') === '');

/** Returns a function that tells whether a creditor has the id or the account of one of these payments. */
export function isPayeeOf(payments: readonly Payment[]): (known: KnownPayee) => boolean {
  const { text, number } = comparison;
  const ids = new Set(payments.map(({ creditor }) => text(creditor.creditorId)));
  const numbers = new Set(payments.map(({ creditorAccount }) => number(creditorAccount?.identification ?? '')));
  return ({ creditorId, identification }) =>
    number(identification) !== '' && (ids.has(text(creditorId)) || numbers.has(number(identification)));
}

/** Returns an amount and its currency as JSON, without insignificant zeros. */
const sumOf = ({ amount, currency }: Payment['instructedAmount']): string =>
  `${quoted(new Decimal(amount).toString())},${quoted(currency)}`;

/**
 * Returns the key of an invoice of a payee: its reference, whatever the amount; without a reference, the text and the
 * amount.
 */
function invoiceIn({ remittanceInformation, instructedAmount }: Payment, { text }: Comparison): string {
  const { reference, unstructured } = remittanceInformation ?? {};
  const named = text(reference);
  return named ? `"reference",${quoted(named)}` : `"sum",${quoted(text(unstructured))},${sumOf(instructedAmount)}`;
}

/**
 * The identities of one payment; payments that share one may pay the same invoice. `own` identities are stored, `other`
 * ones are looked up.
 */
export interface Identities {
  /** The invoices, identified by the payment's body and the known payees; both stored and looked up. */
  invoices: string[];
  /**
   * The same invoices, identified by fewer details of the payee: by the name alone, or by an account without its second
   * number. They match a payment that gives all details of its payee with one that does not; and one that gives a
   * creditor's id with one that gives an account, or an IBAN with a national number, if it is not known whether these
   * belong together.
   */
  aliases: { own: string[]; other: string[] };
}

/** The other name of a payee that is identified in one of these ways. */
const otherName = { id: 'account', account: 'id' } as const;
/** The other way in which an account may be written. */
const otherWriting = { iban: 'national', national: 'iban' } as const;

function identifyBy(way: Comparison, known: readonly KnownPayee[]) {
  const payeeIn = payeeBy(way, known);
  return (payment: Payment): Identities => {
    const { identities, name, numbers, by, isNumbered, written } = payeeIn(payment);
    const invoice = invoiceIn(payment, way);
    const aliases = (asNamed: boolean, asNumbered: boolean) => [
      digest(`[${asNamed ? '"name alone"' : '"name besides"'},${name},${invoice}]`),
      ...numbers.map((each) =>
        digest(`[${asNumbered ? '"first number alone"' : '"first number besides"'},${each},${invoice}]`),
      ),
    ];
    const { reference, unstructured } = payment.remittanceInformation ?? {};
    const [named, said] = [way.text(reference), way.text(unstructured)];
    const inText = (kind: 'reference' | 'text', name: string) =>
      identities.map((each) => digest(`[${each},"${kind}",${quoted(name)}]`));
    const [ownText, otherText] = named
      ? [[], inText('text', named)]
      : said
        ? [inText('text', said), inText('reference', said)]
        : [[], []];
    const half = (which: 'id' | 'account') => digest(`["name of an ${which}",${name},${invoice}]`);
    const [ownHalf, otherHalf] = by === 'id' || by === 'account' ? [[half(by)], [half(otherName[by])]] : [[], []];
    const writing = (each: 'iban' | 'national', which: 'alone' | 'besides') =>
      digest(`["${each} account ${which}",${name},${invoice}]`);
    const [isNamed, isAccount] = [by === 'name', by === 'account'];
    return {
      invoices: identities.map((each) => digest(`[${each},${invoice}]`)),
      aliases: {
        own: [
          ...aliases(isNamed, isNumbered),
          ...ownHalf,
          ...ownText,
          ...[...written].map((each) => writing(each, isAccount ? 'alone' : 'besides')),
        ],
        other: [
          ...[...aliases(!isNamed, !isNumbered), ...otherHalf, ...otherText],
          ...[...written].flatMap((each) =>
            // Payments that both give an id are told apart by it.
            (isAccount ? (['alone', 'besides'] as const) : (['alone'] as const)).map((which) =>
              writing(otherWriting[each], which),
            ),
          ),
        ],
      },
    };
  };
}

/** Whether earlier versions normalised a text of a payment otherwise. */
const differsEarlier = ({ creditor, creditorAccount, remittanceInformation }: Payment): boolean =>
  [
    ...[creditor.name, creditor.creditorId],
    ...[creditorAccount?.identification, creditorAccount?.secondaryIdentification],
    ...[remittanceInformation?.reference, remittanceInformation?.unstructured],
  ].some((text) => comparison.text(text) !== earlierComparison.text(text));

/**
 * Returns a function that makes the identities of a payment. Of the company's creditors, `known` are those that its batch
 * names by half (see `isHalfNamed`). Those of earlier versions are looked up too.
 */
export function identifierOf(known: readonly KnownPayee[]): (payment: Payment) => Identities {
  const [identify, identifyEarlier] = [identifyBy(comparison, known), identifyBy(earlierComparison, known)];
  return (payment) => {
    const identities = identify(payment);
    if (!differsEarlier(payment)) return identities;
    const { invoices, aliases } = identities;
    const earlier = identifyEarlier(payment);
    const other = [...aliases.other, ...earlier.invoices, ...earlier.aliases.other];
    return { invoices, aliases: { own: aliases.own, other } };
  };
}

/** Returns the identities of each payment of a batch; see `identifierOf`. */
export const identitiesOf = ({ payments }: Pick<Batch, 'payments'>, known: readonly KnownPayee[]): Identities[] =>
  payments.map(identifierOf(known));

/**
 * Returns a function that makes hashes of a payment's payee and amount, to match a payment that has a reference with one
 * that has none.
 */
export function sumsBy(known: readonly KnownPayee[]) {
  const payeeIn = payeeBy(comparison, known);
  return (payment: Payment): { own: string[]; other: string[] } => {
    const sum = sumOf(payment.instructedAmount);
    const { identities } = payeeIn(payment);
    const sums = (isReferenced: boolean) =>
      identities.map((each) => digest(`[${each},${isReferenced ? '"referenced sum"' : '"bare sum"'},${sum}]`));
    const hasReference = comparison.text(payment.remittanceInformation?.reference) !== '';
    return { own: sums(hasReference), other: sums(!hasReference) };
  };
}

/** Returns the identities of a listed invoice; they are among those of the payments that the page creates from it. */
export const invoiceOf = (creditor: KnownPayee & { creditorname: string }, invoiceId: string): string[] => {
  const { identification, secondaryIdentification } = creditor;
  const payment: Payment = {
    instructedAmount: { amount: '1', currency: 'GBP' }, // an invoice with a reference is the same whatever its amount
    creditor: { name: creditor.creditorname, creditorId: creditor.creditorId },
    creditorAccount: { identification, secondaryIdentification },
    remittanceInformation: { reference: invoiceId },
  };
  return identifyBy(comparison, [])(payment).invoices;
};

/**
 * Returns what a batch is meant to pay, as a hash: equal for batches that pay the same invoices from the same account,
 * with the same subscription and template.
 */
export const intentionOf = (batch: Batch): string => intentionBy(batch, identitiesOf(batch, []));

/** The same, by the identities of its payments without known payees. */
export function intentionBy(batch: Batch, identities: readonly Identities[]): string {
  const { subscriptionId = '', fileFormatId = '', debtor } = batch;
  const invoices = identities.flatMap((each) => each.invoices);
  return hash([subscriptionId, fileFormatId, debtor?.debtorId ?? '', ...invoices.sort()]);
}
