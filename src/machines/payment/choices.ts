import { invoiceCounts } from '#contract/constants.ts';
import { amountFlaw } from '#contract/money.ts';
import { controlAt } from '#rules/causes.ts';
import type { FieldError } from '#rules/fieldError.ts';
import { paymentForm } from '#rules/field.ts';
import { noDraft, type Choices, type DraftInput } from '../lib/draft.ts';
import {
  emptyForm,
  fillForm,
  openForm,
  restoredValues,
  type FillEvent,
  type FormEvent,
  type FormState,
} from '../lib/form.ts';
import type { JourneyEvent, JourneyInput } from '../lib/gate.ts';
import { choicesIn, correctedErrors, valuesOf } from './faults.ts';
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

/** The initial context of a payment. */
export const noPayment = (
  kind: PaymentKind,
  {
    facts,
    invoiceCount = invoiceCounts[0],
    correcting = '',
    sought = '',
    draft = noDraft,
  }: JourneyInput<Partial<PaymentInput> & DraftInput>,
): PaymentContext => ({
  kind,
  facts,
  failure: null,
  invoiceCount,
  correcting,
  sought,
  corrected: null,
  marks: [],
  ...emptyForm,
  draft,
  likesExamples: false,
  rules: [],
  debtors: [],
  creditors: [],
  invoices: [],
  fileFormats: [],
  maximumPayments: 0,
  instrument: '',
  today: '',
  format: null,
  debtorId: '',
  ticked: [],
  date: null,
  prepared: null,
  preview: null,
  broken: [],
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
  { kind, facts, ticked, debtorId, corrected: before, draft, today: readBefore }: PaymentContext,
  { formatsFailed, corrected = null, ...material }: PaymentMaterial,
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
    ...(readBefore === '' && draftedIn(draft.choices, material)),
  };
}

/** The choices of a draft; leaves out those that are no longer possible. */
function draftedIn(
  { debtorId, fileFormatId, date, ticked }: Choices,
  { debtors, fileFormats, invoices }: Pick<PaymentMaterial, 'debtors' | 'fileFormats' | 'invoices'>,
): Partial<PaymentContext> {
  const format = fileFormats.find((each) => each.fileFormatId === fileFormatId);
  const ids = new Set(invoices.map(({ invoiceId }) => invoiceId));
  return {
    ...(debtors.some((each) => each.debtorId === debtorId) && { debtorId: debtorId ?? '' }),
    ...(format && { format }),
    ...(date !== undefined && { date }),
    ...(ticked && { ticked: ticked.filter((id) => ids.has(id)) }),
  };
}

/** The open form with what was entered, or filled with examples. */
export function restored(context: PaymentContext): Partial<PaymentContext> {
  const { draft, facts } = context;
  const values = restoredValues(context);
  if (!draft.fills || facts.environment !== 'sandbox') return { values };
  const filled = examples({ ...context, values });
  return { ...filled, draft: { ...draft, fields: filled.values ?? values, fills: false } };
}

/** The form with the values of the corrected batch, if any, overridden by those entered. */
export function formOf({ rules, format, corrected, values }: PaymentContext): FormState {
  const form = paymentForm(rules, format?.specification.rules);
  return openForm(form, { ...valuesOf({ corrected, form }), ...values });
}

/**
 * The errors of the corrected batch in the open form. They are listed only to a user who comes from one of them;
 * otherwise they only mark their rows.
 */
export function corrections(context: PaymentContext): Pick<PaymentContext, 'errors' | 'marks' | 'sought'> {
  const { form, sought } = context;
  const marks = correctedErrors(context);
  const at = marks.some(({ id }) => id === sought) ? sought : controlAt(sought, form);
  return { errors: sought === '' ? [] : marks, marks, sought: at };
}

/** The errors except that of a choice just changed. */
export const errorsWithout = ({ errors }: PaymentContext, choice: string): FieldError[] =>
  errors.filter(({ id }) => id !== choice);

/**
 * The context changes from filling in examples: the form's examples, the first account if none is chosen, and, if
 * nothing is ticked, as many open invoices in its currency as fit in one batch.
 */
export function examples(context: PaymentContext): Partial<PaymentContext> {
  const { errors, values } = fillForm(context);
  const { debtors, ticked, maximumPayments } = context;
  const debtorId = context.debtorId || (debtors[0]?.debtorId ?? '');
  const open = pricedInvoices({ ...context, debtorId })
    .flatMap(({ invoiceId, payment, amount, currency }) => (payment || amountFlaw(amount, currency) ? [] : invoiceId))
    .slice(0, maximumPayments);
  return {
    values,
    errors: [...context.errors.filter(({ id }) => id === paymentChoices.date), ...errors],
    debtorId,
    ticked: ticked.length > 0 ? ticked : open,
  };
}
