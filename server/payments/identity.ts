import { createHash } from 'node:crypto';
import StandardDecimal from 'decimal.js-light';
import type { BatchRequest, Payment } from '#contract/payment.ts';

/** A batch with or without its externalId. */
export type Batch = Omit<BatchRequest, 'externalId'> & { externalId?: string };

const Decimal = StandardDecimal.clone({ precision: 40 });

const hash = (parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);

/** A text as a reader compares it: letter case, spacing and invisible characters make no difference. */
const plain = (text = ''): string =>
  text
    .normalize('NFKC')
    .replace(/[\s\p{Cf}\p{Cc}]+/gu, '')
    .toLowerCase();

/** The same for an account number, which may have separators. */
const digits = (text: string): string => plain(text).replace(/[^\p{L}\p{N}]/gu, '');

/**
 * What identifies a payee: the creditor's id and the account, or the name if there is neither. The bank is left out, as
 * it may be written in several ways or not at all.
 */
function payeesOf({ creditor, creditorAccount }: Payment): string[][] {
  const { identification = '', secondaryIdentification = '' } = creditorAccount ?? {};
  const payees = [
    // As it is written as well, for attempts that were stored so.
    ...[...new Set([creditor.creditorId ?? '', plain(creditor.creditorId)])]
      .filter(Boolean)
      .map((id) => ['creditor', id]),
    ...(digits(identification) ? [['account', digits(identification), digits(secondaryIdentification)]] : []),
  ];
  return payees.length > 0 ? payees : [['name', plain(creditor.name)]];
}

/** A payee's invoice: its reference, whatever the amount; without one the text and the sum. */
function invoiceIn({ remittanceInformation, instructedAmount }: Payment): string[] {
  const { reference, unstructured } = remittanceInformation ?? {};
  const { amount, currency } = instructedAmount;
  return plain(reference)
    ? ['reference', plain(reference)]
    : ['sum', plain(unstructured), new Decimal(amount).toString(), currency];
}

/** The invoices that a payment pays, by its body alone; payments that share one pay the same invoice. */
export const invoicesOf = (payment: Payment): string[] =>
  payeesOf(payment).map((payee) => hash([...payee, ...invoiceIn(payment)]));

/**
 * The same invoices by less of the payee, to compare a payment that names its payee in full with one that does not: by
 * the name alone, or by an account without its second number. `own` is stored, `other` looked up.
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
 * Sums of a payee, to compare a payment that has a reference with one that has none. `own` is stored, `other` looked
 * up.
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

/** The identity of a listed invoice, equal to that of the payments the page makes of it. */
export const invoiceOf = (creditorId: string, invoiceId: string): string[] => [
  hash(['creditor', creditorId, 'reference', plain(invoiceId)]),
];

/** Equal for batches that pay the same invoices from the same account, by the same subscription and template. */
export const intentionOf = ({ subscriptionId = '', fileFormatId = '', debtor, payments }: Batch): string =>
  hash([subscriptionId, fileFormatId, debtor?.debtorId ?? '', ...payments.flatMap(invoicesOf).sort()]);
