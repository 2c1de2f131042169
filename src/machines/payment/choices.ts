import { invoiceCounts } from '#contract/constants.ts';
import type { FieldError } from '#rules/check.ts';
import { changeField, emptyForm, fillForm, fillWords, type FillEvent, type FormEvent } from '../form.ts';
import type { JourneyEvent, JourneyInput } from '../gate.ts';
import { choose, press } from '../say.ts';
import {
  paymentChoices,
  type InvoicesAsked,
  type PaymentContext,
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

/** What the user chooses before the review. */
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
  'form.fill': { guard: 'mayFill', actions: 'choose', description: fillWords },
  'invoices.ask': { target: 'listing', actions: 'choose', description: choose('Invoices to list') },
  'invoices.tick': { actions: 'choose', description: 'Tick invoices' },
  'form.cancel': { target: 'cancelled' },
} as const;

/** Where a review that has failed leads to; nothing is under way then. */
export const afterReview = {
  'review.back': { target: 'editing', actions: 'forgetFailure', description: press('Back') },
  'form.cancel': { target: 'cancelled' },
} as const;

/** The context of a payment as it begins. */
export const noPayment = ({ facts, invoiceCount = invoiceCounts[0] }: JourneyInput<Partial<InvoicesAsked>>) => ({
  facts,
  failure: null,
  invoiceCount,
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
  date: '',
  prepared: null,
  again: false,
  confirmation: '',
  result: null,
});

/**
 * What is learnt from the material: what is gone is ticked no longer, the only account is chosen; the facts count the
 * templates that were read.
 */
export function learntFrom(
  { facts, ticked, debtorId }: PaymentContext,
  { formatsFailed, ...material }: PaymentMaterial,
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
  };
}

/** The errors without that of a choice, which is made anew. */
const without = ({ errors }: PaymentContext, choice: string): FieldError[] => errors.filter(({ id }) => id !== choice);

/** The form's examples, an account where none is chosen, and where nothing is ticked what is open and fits one batch. */
function examples(context: PaymentContext): Partial<PaymentContext> {
  const { errors, ...filled } = fillForm(context);
  const { debtorId, debtors, ticked, invoices, maximumPayments } = context;
  const open = invoices.flatMap(({ invoiceId, payment }) => (payment ? [] : invoiceId)).slice(0, maximumPayments);
  return {
    ...filled,
    errors: [...context.errors.filter(({ id }) => id === paymentChoices.date), ...errors],
    debtorId: debtorId || (debtors[0]?.debtorId ?? ''),
    ticked: ticked.length > 0 ? ticked : open,
  };
}

/** What a choice of the user changes. */
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
