import { hash as sha256 } from 'node:crypto';
import StandardDecimal from 'decimal.js-light';
import type { BatchRequest, Payment } from '#contract/payment.ts';

/** A batch with or without its externalId. */
export type Batch = Omit<BatchRequest, 'externalId'> & { externalId?: string };

const Decimal = StandardDecimal.clone({ precision: 40 });

const digest = (text: string): string => sha256('sha256', text, 'base64url').slice(0, 22);
const hash = (parts: readonly string[]): string => digest(JSON.stringify(parts));

/** Matches a text that has nothing to normalise but its letter case. */
const isPlain = /^[!-~]*$/;

/** Normalises a text for comparison: letter case, spacing and invisible characters are ignored. */
const plain = (text = ''): string =>
  (isPlain.test(text) ? text : text.normalize('NFKC').replace(/[\s\p{Cf}\p{Cc}]+/gu, '')).toLowerCase();

/** Normalises an account number, which may contain separators. */
function digits(text: string): string {
  const shown = plain(text);
  return /^[0-9a-z]*$/.test(shown) ? shown : shown.replace(/[^\p{L}\p{N}]/gu, '');
}

/**
 * The identities of a payee: the creditor's id and the account, or the name if there is neither. The bank is left out,
 * because it may be written in several ways or be absent.
 */
function payeesOf({ creditor, creditorAccount }: Payment): string[][] {
  const { identification = '', secondaryIdentification = '' } = creditorAccount ?? {};
  const payees = [
    // Also as written, because earlier versions stored attempts without normalising the id.
    ...[...new Set([creditor.creditorId ?? '', plain(creditor.creditorId)])]
      .filter(Boolean)
      .map((id) => ['creditor', id]),
    ...(digits(identification) ? [['account', digits(identification), digits(secondaryIdentification)]] : []),
  ];
  return payees.length > 0 ? payees : [['name', plain(creditor.name)]];
}

/**
 * Identifies an invoice of a payee: by its reference, whatever the amount; without a reference, by the text and the
 * sum.
 */
function invoiceIn({ remittanceInformation, instructedAmount }: Payment): string[] {
  const { reference, unstructured } = remittanceInformation ?? {};
  const { amount, currency } = instructedAmount;
  return plain(reference)
    ? ['reference', plain(reference)]
    : ['sum', plain(unstructured), new Decimal(amount).toString(), currency];
}

/**
 * The identities of one payment. Payments with a common one may pay the same invoice; `own` ones are stored, `other`
 * ones are looked up.
 */
interface Identities {
  /** The invoices that it pays, identified by its body alone; `own` and `other` in one. */
  invoices: string[];
  /**
   * The same invoices, identified by fewer details of the payee: by the name alone, or by an account without its second
   * number. Used to compare a payment that names its payee in full with one that does not.
   */
  aliases: { own: string[]; other: string[] };
  /** Its payee and sum, to compare a payment that has a reference with one that has none. */
  sums: { own: string[]; other: string[] };
}

function identify(payment: Payment): Identities {
  const { creditor, creditorAccount, instructedAmount, remittanceInformation } = payment;
  const { identification = '', secondaryIdentification = '' } = creditorAccount ?? {};
  const [first, second] = [digits(identification), digits(secondaryIdentification)];
  // Parts are joined as JSON: each hash is that of a list.
  const joined = (parts: readonly string[]): string => JSON.stringify(parts).slice(1, -1);
  const hashed = (...parts: readonly string[]): string => digest(`[${parts.join(',')}]`);
  const [name, number, invoice] = [joined([plain(creditor.name)]), joined([first]), joined(invoiceIn(payment))];
  const payees = payeesOf(payment).map(joined);
  const aliases = (asNamed: boolean, asNumbered: boolean) => [
    hashed(asNamed ? '"name alone"' : '"name besides"', name, invoice),
    ...(first ? [hashed(asNumbered ? '"first number alone"' : '"first number besides"', number, invoice)] : []),
  ];
  const { amount, currency } = instructedAmount;
  const sum = joined([new Decimal(amount).toString(), currency]);
  const sums = (isReferenced: boolean) =>
    payees.map((payee) => hashed(payee, isReferenced ? '"referenced sum"' : '"bare sum"', sum));
  const [isNamed, isNumbered] = [!plain(creditor.creditorId) && !first, !second];
  const hasReference = plain(remittanceInformation?.reference) !== '';
  return {
    invoices: payees.map((payee) => hashed(payee, invoice)),
    aliases: { own: aliases(isNamed, isNumbered), other: aliases(!isNamed, !isNumbered) },
    sums: { own: sums(hasReference), other: sums(!hasReference) },
  };
}

/** Kept for as long as the payment, because each is asked for several times. */
const known = new WeakMap<Payment, Identities>();

/** The identities of a payment, which must not be changed afterwards. */
export function identitiesOf(payment: Payment): Identities {
  const identities = known.get(payment) ?? identify(payment);
  known.set(payment, identities);
  return identities;
}

const invoicesOf = (payment: Payment): string[] => identitiesOf(payment).invoices;

/** The identity of a listed invoice; it equals that of the payments that the page creates from it. */
export const invoiceOf = (creditorId: string, invoiceId: string): string[] => [
  hash(['creditor', creditorId, 'reference', plain(invoiceId)]),
];

/**
 * Identifies what a batch is meant to pay: equal for batches that pay the same invoices from the same account, with the
 * same subscription and template.
 */
export const intentionOf = ({ subscriptionId = '', fileFormatId = '', debtor, payments }: Batch): string =>
  hash([subscriptionId, fileFormatId, debtor?.debtorId ?? '', ...payments.flatMap(invoicesOf).sort()]);
