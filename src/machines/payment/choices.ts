import { invoiceCounts } from '#contract/constants.ts';
import { amountFlaw } from '#contract/money.ts';
import { controlAt } from '#rules/causes.ts';
import type { FieldError } from '#rules/fieldError.ts';
import { paymentForm } from '#rules/field.ts';
import { changeField, emptyForm, fillForm, fillText, openForm, type FillEvent, type FormEvent } from '../lib/form.ts';
import type { JourneyEvent, JourneyInput } from '../lib/gate.ts';
import { selectLabel, pressLabel } from '../lib/describe.ts';
import { choicesIn, correctedErrors, valuesOf } from './faults.ts';
import { noFindings } from './findings.ts';
import {
  paymentChoices,
  pricedInvoices,
  type PaymentContext,
  type PaymentInput,
  type PaymentKind,
  type PaymentMaterial,
} from './payment.ts';

export type PaymentEvent =
  | JourneyEvent
  | FormEvent
  | FillEvent
  | { type: 'format.choose'; fileFormatId: string }
  | { type: 'debtor.choose'; debtorId: string }
  | { type: 'date.choose'; date: string }
  | { type: 'invoices.ask'; count: number }
  | { type: 'invoices.tick'; ids: readonly string[] }
  | { type: 'review.back' }
  | { type: 'again.allow'; allowed: boolean }
  | { type: 'total.confirm'; text: string }
  | { type: 'payment.pay' };

export interface Args {
  context: PaymentContext;
  event: PaymentEvent;
}

/** Transitions for the user's choices before the review. */
export const choosing = {
  'format.choose': {
    guard: 'isOffered',
    target: 'opening',
    actions: 'choose',
    description: 'Choose a bank file template',
  },
  'debtor.choose': { actions: 'choose', description: 'Choose a bank account' },
  'date.choose': { actions: 'choose', description: 'Choose an execution date' },
  'form.change': { actions: 'choose' },
  'form.fill': { guard: 'mayFill', actions: 'choose', description: fillText },
  'invoices.ask': { target: 'listing', actions: 'choose', description: selectLabel('Show') },
  'invoices.tick': { actions: 'choose', description: 'Tick invoices' },
  'form.cancel': { target: 'cancelled' },
} as const;

/** Transitions of a failed review; no call is in progress then. */
export const afterReview = {
  'review.back': { target: 'editing', actions: ['markRefusal', 'clearFailure'], description: pressLabel('Back') },
  'form.cancel': { target: 'cancelled' },
} as const;

/** Transition of a review whose payment was sent earlier, and whose batch becomes known. */
export const whenSettled = {
  'facts.arrived': {
    guard: 'isSettled',
    target: 'settled',
    actions: 'assignFacts',
    description: 'A batch with the reference of the payment is known',
  },
} as const;

/** Transitions of a review that is open. */
export const reviewed = {
  'again.allow': {
    guard: 'isCovered',
    actions: 'choose',
    description: 'Tick or untick paying the invoices again',
  },
  'total.confirm': {
    guard: 'isLive',
    actions: 'choose',
    description: 'Type the total',
  },
  ...whenSettled,
  ...afterReview,
} as const;

/** The initial context of a payment. */
export const noPayment = ({
  facts,
  invoiceCount = invoiceCounts[0],
  correcting = '',
  sought = '',
}: JourneyInput<Partial<PaymentInput>>) => ({
  facts,
  failure: null,
  invoiceCount,
  correcting,
  sought,
  corrected: null,
  marks: [],
  ...emptyForm,
  rules: [],
  debtors: [],
  creditors: [],
  invoices: [],
  fileFormats: [],
  maximumPayments: 0,
  today: '',
  format: null,
  debtorId: '',
  ticked: [],
  date: null,
  prepared: null,
  ...noFindings,
  again: false,
  repeats: false,
  confirmation: '',
  result: null,
});

/**
 * The context changes from the material: invoices that no longer exist are unticked, a single account is chosen
 * automatically, and the facts receive the number of templates read.
 */
export function learntFrom(
  { facts, ticked, debtorId, corrected: before }: PaymentContext,
  { formatsFailed, corrected = null, ...material }: PaymentMaterial,
  kind: PaymentKind,
): Partial<PaymentContext> {
  const ids = new Set(material.invoices.map(({ invoiceId }) => invoiceId));
  const [only, ...others] = material.debtors;
  const failed = formatsFailed && { unread: [...facts.unread, 'fileFormats' as const], unreadBecause: formatsFailed };
  return {
    ...material,
    ...(kind === 'file' && { facts: { ...facts, fileFormats: material.fileFormats.length, ...failed } }),
    ticked: ticked.filter((id) => ids.has(id)),
    debtorId: debtorId === '' && only && others.length === 0 ? only.debtorId : debtorId,
    corrected,
    // Once only: a later reload keeps the user's changes.
    ...(corrected && !before && choicesIn(corrected, material)),
  };
}

/**
 * Opens the form with the values of the corrected batch, if any, overridden by those entered. Its errors are listed only
 * to a user who comes from one of them; otherwise they only mark their rows.
 */
export function opened(context: PaymentContext): Partial<PaymentContext> {
  const form = paymentForm(context.rules, context.format?.specification.rules);
  const given = { ...valuesOf({ ...context, form }), ...context.values };
  const errors = correctedErrors({ ...context, form });
  const { sought } = context;
  const at = errors.some(({ id }) => id === sought) ? sought : controlAt(sought, form);
  return { ...openForm(form, given), errors: sought === '' ? [] : errors, marks: errors, sought: at };
}

/** The errors except that of a choice just changed. */
const without = ({ errors }: PaymentContext, choice: string): FieldError[] => errors.filter(({ id }) => id !== choice);

/**
 * The context changes from filling in examples: the form's examples, the first account if none is chosen, and, if
 * nothing is ticked, as many open invoices in its currency as fit in one batch.
 */
function examples(context: PaymentContext): Partial<PaymentContext> {
  const { errors, ...filled } = fillForm(context);
  const { debtors, ticked, maximumPayments } = context;
  const debtorId = context.debtorId || (debtors[0]?.debtorId ?? '');
  const open = pricedInvoices({ ...context, debtorId })
    .flatMap(({ invoiceId, payment, amount, currency }) => (payment || amountFlaw(amount, currency) ? [] : invoiceId))
    .slice(0, maximumPayments);
  return {
    ...filled,
    errors: [...context.errors.filter(({ id }) => id === paymentChoices.date), ...errors],
    debtorId,
    ticked: ticked.length > 0 ? ticked : open,
  };
}

/** The context changes from a choice of the user. */
export function chosen({ context, event }: Args): Partial<PaymentContext> {
  switch (event.type) {
    case 'format.choose':
      return { format: context.fileFormats.find(({ fileFormatId }) => fileFormatId === event.fileFormatId) ?? null };
    case 'debtor.choose':
      return { debtorId: event.debtorId, errors: without(context, paymentChoices.bankAccount) };
    case 'date.choose':
      return { date: event.date, errors: without(context, paymentChoices.date) };
    case 'form.change':
      return changeField(context, event);
    case 'form.fill':
      return examples(context);
    case 'invoices.ask':
      return { invoiceCount: event.count };
    case 'invoices.tick':
      return { ticked: event.ids, errors: without(context, paymentChoices.invoices) };
    case 'again.allow':
      return { again: event.allowed };
    case 'total.confirm':
      return { confirmation: event.text };
    default:
      return {};
  }
}
