import { createHash } from 'node:crypto';
import StandardDecimal from 'decimal.js-light';
import type { BatchRequest, Payment } from '#contract/entities.ts';

/** A batch before it has its externalId, or with it. */
export type Batch = Omit<BatchRequest, 'externalId'> & { externalId?: string };

const Decimal = StandardDecimal.clone({ precision: 40 });

const hash = (parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);

/** A text as a reader compares it: neither letter case, nor spacing, nor what cannot be seen makes it another one. */
const plain = (text = ''): string =>
  text
    .normalize('NFKC')
    .replace(/[\s\p{Cf}\p{Cc}]+/gu, '')
    .toLowerCase();

/** The same of an account's number, which is written with and without separators. */
const digits = (text: string): string => plain(text).replace(/[^\p{L}\p{N}]/gu, '');

/**
 * By what a payee can be known: the creditor's id, the account; the name if there is neither. The bank is left out: it
 * may be written in several ways, or not at all.
 */
function payeesOf({ creditor, creditorAccount }: Payment): string[][] {
  const { identification = '', secondaryIdentification = '' } = creditorAccount ?? {};
  const payees = [
    ...(creditor.creditorId ? [['creditor', creditor.creditorId]] : []),
    ...(digits(identification) ? [['account', digits(identification), digits(secondaryIdentification)]] : []),
  ];
  return payees.length > 0 ? payees : [['name', plain(creditor.name)]];
}

/**
 * What a payment pays, by its body alone; two payments that share one of these pay the same invoice. An invoice is a
 * payee's reference, whatever its amount; without a reference it is the text and the sum.
 */
export function invoicesOf(payment: Payment): string[] {
  const { reference, unstructured } = payment.remittanceInformation ?? {};
  const { amount, currency } = payment.instructedAmount;
  const invoice = plain(reference)
    ? ['reference', plain(reference)]
    : ['sum', plain(unstructured), new Decimal(amount).toString(), currency];
  return payeesOf(payment).map((payee) => hash([...payee, ...invoice]));
}

/**
 * What a payment may pay although one body names a reference and the other does not: a payee's sum. `own` says how it is
 * kept, `other` what to look for.
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

/** How an invoice that is listed here is known: as the payments that the page makes of it. */
export const invoiceOf = (creditorId: string, invoiceId: string): string[] => [
  hash(['creditor', creditorId, 'reference', plain(invoiceId)]),
];

/** The same for batches that pay the same invoices from the same account, by the same subscription and template. */
export const intentionOf = ({ subscriptionId = '', fileFormatId = '', debtor, payments }: Batch): string =>
  hash([subscriptionId, fileFormatId, debtor?.debtorId ?? '', ...payments.flatMap(invoicesOf).sort()]);
