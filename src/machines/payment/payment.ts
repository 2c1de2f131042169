import { currencyOfCountry, locale } from '#contract/constants.ts';
import { isDay } from '#contract/day.ts';
import { dayFlaw, daysFrom } from '#contract/executionDate.ts';
import type { FileFormat, Rule } from '#contract/lookup.ts';
import { amountFlaw, inCurrency } from '#contract/money.ts';
import type { Creditor, Debtor } from '#contract/party.ts';
import type { Facts } from '#contract/facts.ts';
import type { BatchRequest, Invoice, PendingPayment, Standing } from '#contract/payment.ts';
import { resendLabel } from '#contract/outcome.ts';
import type { Problem } from '#contract/problem.ts';
import { amountText, batchRequest, totalsByCurrency, type Total } from '#rules/batch.ts';
import { groupedAmounts } from '#rules/groupedAmounts.ts';
import { paymentChoices } from '#rules/causes.ts';
import { plainText } from '#rules/correct.ts';
import { counted } from '#rules/counted.ts';
import { checkField } from '#rules/check.ts';
import type { FieldError } from '#rules/fieldError.ts';
import { fieldOf, validationOf } from '#rules/field.ts';
import { brokenText, type Corrected, type Findings } from './findings.ts';
import { paymentExtras } from '#rules/payload.ts';
import type { DraftState } from '../lib/draft.ts';
import { formErrors, type FormState } from '../lib/form.ts';
import type { JourneyContext } from '../lib/gate.ts';

export type PaymentKind = 'electronic' | 'file';

/** The data that a payment reads in addition to the facts. */
export interface PaymentMaterial {
  /** Rules of the subscription's provider and of its local instruments. */
  rules: Rule[];
  debtors: Debtor[];
  creditors: Creditor[];
  invoices: Invoice[];
  fileFormats: FileFormat[];
  /** Why the templates could not be read. */
  formatsFailed: Problem | null;
  /** Maximum number of payments that the provider accepts in one batch. */
  maximumPayments: number;
  /** The name of the local instrument by which the provider pays; '' if that is not known. */
  instrument: string;
  /** The user's current local date, for example 2026-11-20. */
  today: string;
  /** The batch to correct, if one was requested. */
  corrected?: Corrected | null;
}

/** A batch request without externalId; its sender adds one that stays the same on every attempt. */
export type UnsentBatch = Omit<BatchRequest, 'externalId'>;

/** The review's data: the idempotency key to pay under, and what may already be paid. */
export interface PreparedPayment {
  key: string;
  /** When it was first sent (ISO time), and what was sent, if the outcome of that attempt is unknown. */
  sentAt?: string | undefined;
  first?: BatchRequest | undefined;
  /** When the review was opened (ISO time), which stands for the creation of the file in its preview. */
  openedAt?: string;
  /** Payments, by index, whose invoices another attempt has paid or may have paid. */
  covered: readonly (Standing & { index: number })[];
  /** Stands for these in a confirmation. */
  shown: string;
}

/** The number of invoices to list, and the id of the batch to correct, '' for none. */
export interface InvoicesAsked {
  invoiceCount: number;
  correcting: string;
}

export interface PaymentInput extends InvoicesAsked {
  /** The id in `errors` of the error that the user chose to correct: a field, choice or invoice; '' for none. */
  sought: string;
}

export interface PaymentContext
  extends
    PaymentInput,
    JourneyContext,
    FormState,
    DraftState,
    Findings,
    Omit<PaymentMaterial, 'formatsFailed' | 'corrected'> {
  kind: PaymentKind;
  corrected: Corrected | null;
  /** The errors that the service reported; for an invoice under the id that `invoiceChoice` returns. */
  marks: readonly FieldError[];
  format: FileFormat | null;
  debtorId: string;
  /** Ids of the ticked invoices. */
  ticked: readonly string[];
  /** The execution date, for example 2026-11-20; null means today, until one is chosen; '' while incomplete. */
  date: string | null;
  /** Null before the review. */
  prepared: PreparedPayment | null;
  /** Whether the user confirms that invoices that may already be paid are to be paid again. */
  again: boolean;
  /** Whether an attempt at this payment was sent and its outcome is unknown. */
  repeats: boolean;
  /** The total typed as a confirmation in the live environment. */
  confirmation: string;
  result: { batchId: string } | null;
}

export const paymentMessages = {
  noBankAccount: 'Please select a bank account',
  noInvoices: 'No Invoices to Pay',
  noElectronicInvoices: 'Select at least one invoice',
  noDate: 'Choose the execution date',
} as const;

export { paymentChoices };

export const debtorOf = ({ debtors, debtorId }: Pick<PaymentContext, 'debtors' | 'debtorId'>): Debtor | undefined =>
  debtors.find((debtor) => debtor.debtorId === debtorId);

type Priced = Pick<PaymentContext, 'invoices' | 'debtors' | 'debtorId' | 'facts'>;

/**
 * The invoices with their currencies. An invoice without one takes that of the chosen account, else that of the
 * provider's country; it stays '' while no account is chosen.
 */
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
  return pricedInvoices({ ...choice, invoices: choice.invoices.filter(({ invoiceId }) => ids.has(invoiceId)) });
};

const number = new Intl.NumberFormat(locale);

/** The error text for more payments than a batch accepts (wire, section 13). */
const tooMany = (payments: number, most: number): string =>
  `${number.format(payments)} invoices are selected, but the provider takes at most ${number.format(most)} payments in one batch`;

/**
 * Returns why an invoice cannot be paid: its amount does not fit its currency, which it has once an account is chosen; or
 * its creditor was removed after it was listed. '' if it can.
 */
function invoiceFlaw({ invoiceId, amount, currency, creditorName }: Invoice, isOrphan: boolean): string {
  const flaw = currency && amountFlaw(amount, currency);
  if (flaw) return `Invoice ${invoiceId} cannot be paid: ${flaw}`;
  return isOrphan ? `Invoice ${invoiceId} is to be paid to ${creditorName}, who is no longer a creditor` : '';
}

/** Errors of the ticked invoices: none, too many, or some that cannot be paid. */
function invoiceErrors(context: PaymentContext): FieldError[] {
  const invoices = tickedInvoices(context);
  const creditors = new Set(context.creditors.map(({ creditorId }) => creditorId));
  const none = context.kind === 'file' ? paymentMessages.noInvoices : paymentMessages.noElectronicInvoices;
  const [first, ...others] = invoices.flatMap((each) => invoiceFlaw(each, !creditors.has(each.creditor)) || []);
  const flawed = first && (others.length === 0 ? first : `${first}. ${counted(others.length, 'other')} cannot either`);
  const many = invoices.length > context.maximumPayments && tooMany(invoices.length, context.maximumPayments);
  const message = invoices.length === 0 ? none : many || flawed;
  return message === undefined ? [] : [{ id: paymentChoices.invoices, message }];
}

export const executionDate = ({ date, today }: Pick<PaymentContext, 'date' | 'today'>): string => date ?? today;

/** Errors of the execution date: not a date, in the past, or rejected by a rule. */
function dateErrors(context: PaymentContext): FieldError[] {
  const date = executionDate(context);
  const rules = [...context.rules, ...(context.format?.specification.rules ?? [])].flatMap((each) => {
    const validation = validationOf(each);
    return validation?.jsonPath === 'requestedExecutionDateTime' ? [fieldOf(validation, paymentChoices.date)] : [];
  });
  const [broken] = rules.flatMap((field) => checkField(field, `${date}T00:00:00Z`) ?? []);
  const message = !isDay(date) ? paymentMessages.noDate : dayFlaw(date, daysFrom(context.today)) || broken?.message;
  return message === undefined ? [] : [{ id: paymentChoices.date, message }];
}

/** All errors before paying: bank account, date, fields of the rules, invoices (behaviour, section 5). */
export function paymentErrors(context: PaymentContext): FieldError[] {
  const debtor = debtorOf(context);
  const hasAccount = debtor && debtor.debtorAgentidentification !== '' && debtor.debtorAccountidentification !== '';
  return [
    ...(hasAccount ? [] : [{ id: paymentChoices.bankAccount, message: paymentMessages.noBankAccount }]),
    ...dateErrors(context),
    ...formErrors(context),
    ...invoiceErrors(context),
  ];
}

/** Totals by currency, for the review (behaviour, section 10.9). */
export const reviewTotals = (choice: Priced & Pick<PaymentContext, 'ticked'>): Total[] =>
  totalsByCurrency(tickedInvoices(choice));

/** The totals as displayed and, in the live environment, typed as a confirmation: `3,663.55 GBP`. */
export const totalText = (choice: Priced & Pick<PaymentContext, 'ticked'>): string =>
  groupedAmounts(amountText(reviewTotals(choice)));

/** The label of the button that pays, or that resends a payment whose outcome is unknown. */
export const payLabel = (context: PaymentContext): string =>
  context.prepared?.first ? resendLabel : `Pay ${totalText(context)}`;

/** Normalises a total to digits and currency; grouping and spaces are ignored. */
const plain = (total: string): string => plainText(total).replace(/[\s,]/g, '').toUpperCase();

export const isLive = ({ facts }: Pick<PaymentContext, 'facts'>): boolean => facts.environment === 'live';

/** Whether the typed total is correct; always true outside the live environment. */
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

/** The payment as sent. If the outcome of an earlier attempt is unknown: the same request under the same key. */
export interface OutgoingPayment {
  key: string;
  batch: BatchRequest;
  again: boolean;
  /** The payments of its invoices that the review has shown, which a confirmation means. */
  shown: string;
  /** Whether it may have been sent before. */
  repeats: boolean;
}

/** Returns the payment to send. Throws if it has not been reviewed. */
export function outgoingPayment(context: PaymentContext): OutgoingPayment {
  const { prepared, again, repeats } = context;
  if (!prepared) throw new Error('A payment is reviewed before it is sent');
  const { key, first, shown } = prepared;
  return {
    key,
    batch: first ?? { externalId: key, ...unsentBatch(context) },
    again,
    shown,
    repeats: repeats || first !== undefined,
  };
}

/** The reviewed payment, if the facts name the batch by which its lost response was settled. */
export const settledIn = (
  { pendingPayments }: Facts,
  { prepared }: Pick<PaymentContext, 'prepared'>,
): PendingPayment | undefined => pendingPayments.find(({ key, settled }) => settled && key === prepared?.key);

const isUnsure = (covered: PreparedPayment['covered']): boolean => covered.some(({ state }) => state === 'unknown');

/** The label that allows paying invoices that another attempt has paid or may have paid. */
export const payAgainLabel = ({ length }: PreparedPayment['covered']): string =>
  `Pay ${length === 1 ? 'it' : 'them'} again anyway`;

/**
 * What the user has to correct or confirm before the payment may be sent, as a sentence; '' if nothing: no value breaks a
 * rule; no other attempt may have paid its invoices, or paying them again is confirmed; and in the live environment the
 * total is confirmed.
 */
export function payBlocked(context: PaymentContext): string {
  if (context.broken.length > 0) return brokenText(context.broken);
  const { covered = [] } = context.prepared ?? {};
  if (covered.length > 0 && !context.again) {
    const are = isUnsure(covered) ? 'may be' : covered.length === 1 ? 'is' : 'are';
    return `${counted(covered.length, 'invoice')} ${are} paid already: tick “${payAgainLabel(covered)}” first`;
  }
  return isConfirmed(context) ? '' : 'Real money moves: type the total first';
}

/** Whether the reviewed payment may be sent. */
export const mayPay = (context: PaymentContext): boolean => context.prepared !== null && payBlocked(context) === '';
