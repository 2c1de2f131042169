import type { BatchRequest, Creditor, Debtor, FileFormat, Invoice, Rule } from '#contract/entities.ts';
import type { Facts } from '#contract/facts.ts';
import { batchRequest, totalsByCurrency, type Total } from '#rules/batch.ts';
import type { FieldError } from '#rules/check.ts';
import { paymentExtras } from '#rules/payload.ts';
import { formErrors, type FormState } from './form.ts';
import type { JourneyContext } from './gate.ts';

export type PaymentKind = 'electronic' | 'file';

export interface PaymentMaterial {
  facts: Facts;
  /** Rules of the subscription's provider and of its local instruments. */
  rules: Rule[];
  debtors: Debtor[];
  creditors: Creditor[];
  invoices: Invoice[];
  fileFormats: FileFormat[];
  /** Payments that the provider takes in one batch. */
  maximumPayments: number;
  /** The current date, e.g. 2026-11-20. */
  today: string;
}

/** A batch request that has no externalId yet: whoever sends it gives it one that stays the same on every try. */
export type UnsentBatch = Omit<BatchRequest, 'externalId'>;

/** How many invoices are asked for. */
export interface InvoicesAsked {
  invoiceCount: number;
}

export interface PaymentContext extends InvoicesAsked, JourneyContext, FormState, Omit<PaymentMaterial, 'facts'> {
  format: FileFormat | null;
  debtorId: string;
  /** Ids of the ticked invoices. */
  ticked: readonly string[];
  batchId: string;
}

export const paymentMessages = {
  noBankAccount: 'Please select a bank account',
  noInvoices: 'No Invoices to Pay',
  noElectronicInvoices: 'Select at least one invoice',
} as const;

/** Ids under which the two choices beside the form's own fields are in error. */
export const paymentChoices = { bankAccount: 'bankAccount', invoices: 'invoices' } as const;

const debtorOf = ({ debtors, debtorId }: PaymentContext): Debtor | undefined =>
  debtors.find((debtor) => debtor.debtorId === debtorId);

const tickedInvoices = ({ invoices, ticked }: Pick<PaymentContext, 'invoices' | 'ticked'>): Invoice[] => {
  const ids = new Set(ticked);
  return invoices.filter(({ invoiceId }) => ids.has(invoiceId));
};

const number = new Intl.NumberFormat('en-GB');

/** Why so many payments cannot be one batch (upstream-api, section 13). */
const tooMany = (payments: number, most: number): string =>
  `${number.format(payments)} invoices are selected, but the provider takes at most ${number.format(most)} payments in one batch`;

/** What is wrong with the ticked invoices: none, too many, or one whose creditor has gone since it was listed. */
function invoiceErrors(context: PaymentContext, kind: PaymentKind): FieldError[] {
  const invoices = tickedInvoices(context);
  const orphan = invoices.find((invoice) => !context.creditors.some((each) => each.creditorId === invoice.creditor));
  const none = kind === 'file' ? paymentMessages.noInvoices : paymentMessages.noElectronicInvoices;
  const gone = orphan && `Invoice ${orphan.invoiceId} is to be paid to ${orphan.creditorName}, who is no creditor now`;
  const many = invoices.length > context.maximumPayments && tooMany(invoices.length, context.maximumPayments);
  const message = invoices.length === 0 ? none : many || gone;
  return message === undefined ? [] : [{ id: paymentChoices.invoices, message }];
}

/** What is wrong before paying: the bank account, the rules' fields, the invoices (spec, section 5). */
export function paymentErrors(context: PaymentContext, kind: PaymentKind): FieldError[] {
  const debtor = debtorOf(context);
  const hasAccount = debtor && debtor.debtorAgentidentification !== '' && debtor.debtorAccountidentification !== '';
  return [
    ...(hasAccount ? [] : [{ id: paymentChoices.bankAccount, message: paymentMessages.noBankAccount }]),
    ...formErrors(context),
    ...invoiceErrors(context, kind),
  ];
}

/** What will be paid, for the review: totals by currency (ux, rule 9). */
export const reviewTotals = (choice: Pick<PaymentContext, 'invoices' | 'ticked'>): Total[] =>
  totalsByCurrency(tickedInvoices(choice));

export function unsentBatch(context: PaymentContext): UnsentBatch {
  const debtor = debtorOf(context);
  if (!debtor) throw new Error(paymentMessages.noBankAccount);
  const { externalId: _given, ...batch } = batchRequest({
    externalId: '',
    subscriptionId: context.facts?.settings.subscriptionId ?? '',
    ...(context.format ? { fileFormatId: context.format.fileFormatId } : {}),
    debtor,
    invoices: tickedInvoices(context),
    creditors: context.creditors,
    extras: paymentExtras(context.form, context.values),
    today: context.today,
  });
  return batch;
}
