import { createHash } from 'node:crypto';
import StandardDecimal from 'decimal.js-light';
import type { BatchRequest, Payment } from '#contract/payment.ts';

/** A batch with or without its externalId. */
export type Batch = Omit<BatchRequest, 'externalId'> & { externalId?: string };

const Decimal = StandardDecimal.clone({ precision: 40 });

const hash = (parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);

/** Normalises a text for comparison: letter case, spacing and invisible characters are ignored. */
const plain = (text = ''): string =>
  text
    .normalize('NFKC')
    .replace(/[\s\p{Cf}\p{Cc}]+/gu, '')
    .toLowerCase();

/** Normalises an account number, which may contain separators. */
const digits = (text: string): string => plain(text).replace(/[^\p{L}\p{N}]/gu, '');

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
 * The invoices that a payment pays, identified by its body alone; payments with a common element pay the same invoice.
 */
export const invoicesOf = (payment: Payment): string[] =>
  payeesOf(payment).map((payee) => hash([...payee, ...invoiceIn(payment)]));

/**
 * The same invoices, identified by fewer details of the payee: by the name alone, or by an account without its second
 * number. Used to compare a payment that names its payee in full with one that does not. `own` is stored, `other` is
 * looked up.
 */
export function aliasesOf(payment: Payment): { own: string[]; other: string[] } {
  const { creditor, creditorAccount } = payment;
  const { identification = '', secondaryIdentification = '' } = creditorAccount ?? {};
  const [first, second] = [digits(identification), digits(secondaryIdentification)];
  const invoice = invoiceIn(payment);
  const aliases = (asNamed: boolean, asNumbered: boolean) => [
    hash([asNamed ? 'name alone' : 'name besides', plain(creditor.name), ...invoice]),
    ...(first ? [hash([asNumbered ? 'first number alone' : 'first number besides', first, ...invoice])] : []),
  ];
  const [isNamed, isNumbered] = [!plain(creditor.creditorId) && !first, !second];
  return { own: aliases(isNamed, isNumbered), other: aliases(!isNamed, !isNumbered) };
}

/**
 * Identifies a payment by its payee and sum, to compare a payment that has a reference with one that has none. `own` is
 * stored, `other` is looked up.
 */
export function sumsOf(payment: Payment): { own: string[]; other: string[] } {
  const { amount, currency } = payment.instructedAmount;
  const named = plain(payment.remittanceInformation?.reference) !== '';
  const sums = (referenced: boolean) =>
    payeesOf(payment).map((payee) =>
      hash([...payee, referenced ? 'referenced sum' : 'bare sum', new Decimal(amount).toString(), currency]),
    );
  return { own: sums(named), other: sums(!named) };
}

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
