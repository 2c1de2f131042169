import { currencyOfCountry } from '#contract/constants.ts';
import type { FileFormat, Rule } from '#contract/lookup.ts';
import type { Creditor, Debtor } from '#contract/party.ts';
import type { BatchRequest, Invoice, Standing } from '#contract/payment.ts';
import type { Problem } from '#contract/problem.ts';
import { amountText, batchRequest, groupedAmounts, totalsByCurrency, type Total } from '#rules/batch.ts';
import { checkField, type FieldError } from '#rules/check.ts';
import { fieldOf, validationOf } from '#rules/field.ts';
import { paymentExtras } from '#rules/payload.ts';
import { formErrors, type FormState } from '../form.ts';
import type { JourneyContext } from '../gate.ts';

export type PaymentKind = 'electronic' | 'file';

/** What a payment reads of its own, for the facts. */
export interface PaymentMaterial {
  /** Rules of the subscription's provider and of its local instruments. */
  rules: Rule[];
  debtors: Debtor[];
  creditors: Creditor[];
  invoices: Invoice[];
  fileFormats: FileFormat[];
  /** Why they could not be read. */
  formatsFailed: Problem | null;
  /** Payments that the provider takes in one batch. */
  maximumPayments: number;
  /** The user's current date, e.g. 2026-11-20. */
  today: string;
}

/** A batch request that has no externalId yet: whoever sends it gives it one that stays the same on every try. */
export type UnsentBatch = Omit<BatchRequest, 'externalId'>;

/** What the review of a payment is told: under which key it is sent, and what may be paid already. */
export interface PreparedPayment {
  key: string;
  /** When it was sent before, if the outcome of that is not known, and what; an ISO time. */
  sentAt?: string | undefined;
  first?: BatchRequest | undefined;
  /** Payments, by their index, whose invoices another attempt has paid or may have paid. */
  covered: readonly (Standing & { index: number })[];
}

/** How many invoices are asked for. */
export interface InvoicesAsked {
  invoiceCount: number;
}

export interface PaymentContext
  extends InvoicesAsked, JourneyContext, FormState, Omit<PaymentMaterial, 'formatsFailed'> {
  format: FileFormat | null;
  debtorId: string;
  /** Ids of the ticked invoices. */
  ticked: readonly string[];
  /** When the payment is to be executed, e.g. 2026-11-20; '' stands for today. */
  date: string;
  /** null before the review. */
  prepared: PreparedPayment | null;
  /** The user's word that what is covered is to be paid again. */
  again: boolean;
  /** What was typed to confirm the total, where real money moves. */
  confirmation: string;
  result: { batchId: string } | null;
}

export const paymentMessages = {
  noBankAccount: 'Please select a bank account',
  noInvoices: 'No Invoices to Pay',
  noElectronicInvoices: 'Select at least one invoice',
  noDate: 'Choose the day on which the payment is to be made',
} as const;

/** Ids under which the choices beside the form's own fields are in error. */
export const paymentChoices = { bankAccount: 'bankAccount', date: 'executionDate', invoices: 'invoices' } as const;

const debtorOf = ({ debtors, debtorId }: Pick<PaymentContext, 'debtors' | 'debtorId'>): Debtor | undefined =>
  debtors.find((debtor) => debtor.debtorId === debtorId);

type Priced = Pick<PaymentContext, 'invoices' | 'debtors' | 'debtorId' | 'facts'>;

/** An amount in a currency that has no decimals is a whole one. */
const inCurrency = (amount: string, currency: string): string =>
  hasDecimals(currency) ? amount : (amount.split('.')[0] ?? '');

const hasDecimals = (currency: string): boolean =>
  !/^[A-Z]{3}$/.test(currency) ||
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits !== 0;

/** The invoices, those without a currency of their own in that of the chosen account; in none ('') before. */
export function pricedInvoices({ invoices, debtors, debtorId, facts }: Priced): Invoice[] {
  const debtor = debtorOf({ debtors, debtorId });
  const currency = debtor?.currency || (currencyOfCountry[facts.settings.providerCountry] ?? 'GBP');
  if (!debtor) return invoices;
  return invoices.map((invoice) =>
    invoice.currency ? invoice : { ...invoice, currency, amount: inCurrency(invoice.amount, currency) },
  );
}

const tickedInvoices = (choice: Priced & Pick<PaymentContext, 'ticked'>): Invoice[] => {
  const ids = new Set(choice.ticked);
  return pricedInvoices(choice).filter(({ invoiceId }) => ids.has(invoiceId));
};

const number = new Intl.NumberFormat('en-GB');

/** Why so many payments cannot be one batch (wire, section 13). */
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

export const executionDate = ({ date, today }: Pick<PaymentContext, 'date' | 'today'>): string => date || today;

/** What is wrong with the execution date: no date, one in the past, or one that a rule does not take. */
function dateErrors(context: PaymentContext): FieldError[] {
  const date = executionDate(context);
  const rules = [...context.rules, ...(context.format?.specification.rules ?? [])].flatMap((each) => {
    const validation = validationOf(each);
    return validation?.jsonPath === 'requestedExecutionDateTime' ? [fieldOf(validation, paymentChoices.date)] : [];
  });
  const [broken] = rules.flatMap((field) => checkField(field, `${date}T00:00:00Z`) ?? []);
  const message = !isDate(date)
    ? paymentMessages.noDate
    : date < context.today
      ? `${date} is in the past: the first day that can be chosen is ${context.today}`
      : broken?.message;
  return message === undefined ? [] : [{ id: paymentChoices.date, message }];
}

const isDate = (date: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(date) && !Number.isNaN(Date.parse(`${date}T00:00:00Z`));

/** What is wrong before paying: the bank account, the date, the rules' fields, the invoices (behaviour, section 5). */
export function paymentErrors(context: PaymentContext, kind: PaymentKind): FieldError[] {
  const debtor = debtorOf(context);
  const hasAccount = debtor && debtor.debtorAgentidentification !== '' && debtor.debtorAccountidentification !== '';
  return [
    ...(hasAccount ? [] : [{ id: paymentChoices.bankAccount, message: paymentMessages.noBankAccount }]),
    ...dateErrors(context),
    ...formErrors(context),
    ...invoiceErrors(context, kind),
  ];
}

/** What will be paid, for the review: totals by currency (behaviour, section 10.9). */
export const reviewTotals = (choice: Priced & Pick<PaymentContext, 'ticked'>): Total[] =>
  totalsByCurrency(tickedInvoices(choice));

/** The totals as they are shown and, where real money moves, typed to confirm them: `3,663.55 GBP`. */
export const totalText = (choice: Priced & Pick<PaymentContext, 'ticked'>): string =>
  groupedAmounts(amountText(reviewTotals(choice))).trim();

/** Digits and currencies; how they are grouped and spaced does not matter. */
const plain = (total: string): string => total.replace(/[\s,]/g, '').toUpperCase();

export const isLive = ({ facts }: Pick<PaymentContext, 'facts'>): boolean => facts.environment === 'live';

/** Whether the total was typed, where real money moves. */
export const isConfirmed = (context: PaymentContext): boolean =>
  !isLive(context) || plain(context.confirmation) === plain(totalText(context));

export function unsentBatch(context: PaymentContext): UnsentBatch {
  const debtor = debtorOf(context);
  if (!debtor) throw new Error(paymentMessages.noBankAccount);
  const { externalId: _given, ...batch } = batchRequest({
    externalId: '',
    subscriptionId: debtor.subscriptionId,
    ...(context.format ? { fileFormatId: context.format.fileFormatId } : {}),
    debtor,
    invoices: tickedInvoices(context),
    creditors: context.creditors,
    extras: paymentExtras(context.form, context.values),
    today: executionDate(context),
  });
  return batch;
}

/** What is sent: of an attempt whose outcome is not known exactly what was sent first, under its key. */
export interface OutgoingPayment {
  key: string;
  batch: BatchRequest;
  again: boolean;
}

/** Throws before the review. */
export function outgoingPayment(context: PaymentContext): OutgoingPayment {
  const { prepared, again } = context;
  if (!prepared) throw new Error('A payment is reviewed before it is sent');
  const { key, first } = prepared;
  return { key, batch: first ?? { externalId: key, ...unsentBatch(context) }, again };
}

/**
 * Whether nothing else may have paid what is to be paid, or the user has said that it is to be paid again; and whether the
 * total is confirmed, where real money moves.
 */
export const mayPay = (context: PaymentContext): boolean =>
  context.prepared !== null && (context.prepared.covered.length === 0 || context.again) && isConfirmed(context);
