import { assign, setup } from 'xstate';
import type { BatchRequest, Creditor, Debtor, FileFormat, Invoice, Rule } from '#contract/entities.ts';
import type { Facts } from '#contract/facts.ts';
import { batchRequest, totalsByCurrency, type Total } from '#rules/batch.ts';
import type { FieldError } from '#rules/check.ts';
import { paymentForm } from '#rules/field.ts';
import { paymentExtras } from '#rules/payload.ts';
import { changeField, emptyForm, formErrors, openForm, type FormEvent, type FormState } from './form.ts';
import { checks, gates, lacks, noFacts, type JourneyContext, type JourneyEvent, type Meta, type Tag } from './gate.ts';
import { electronicPayment, filePayment } from './payment.journey.ts';
import { failureOf, port } from './port.ts';

export type PaymentKind = 'electronic' | 'file';

export interface PaymentMaterial {
  facts: Facts;
  /** Rules of the subscription's provider and of its local instruments. */
  rules: Rule[];
  debtors: Debtor[];
  creditors: Creditor[];
  invoices: Invoice[];
  fileFormats: FileFormat[];
  /** The current date, e.g. 2026-11-20. */
  today: string;
}

/** A batch request that has no externalId yet: whoever sends it gives it one that stays the same on every try. */
export type UnsentBatch = Omit<BatchRequest, 'externalId'>;

interface Context extends JourneyContext, FormState, Omit<PaymentMaterial, 'facts'> {
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

const debtorOf = ({ debtors, debtorId }: Context): Debtor | undefined =>
  debtors.find((debtor) => debtor.debtorId === debtorId);

const tickedInvoices = ({ invoices, ticked }: Pick<Context, 'invoices' | 'ticked'>): Invoice[] => {
  const ids = new Set(ticked);
  return invoices.filter(({ invoiceId }) => ids.has(invoiceId));
};

/** What is wrong with the ticked invoices: none, or one whose creditor has gone since it was listed. */
function invoiceErrors(context: Context, kind: PaymentKind): FieldError[] {
  const invoices = tickedInvoices(context);
  const creditors = new Set(context.creditors.map(({ creditorId }) => creditorId));
  const orphan = invoices.find(({ creditor }) => !creditors.has(creditor));
  const none = kind === 'file' ? paymentMessages.noInvoices : paymentMessages.noElectronicInvoices;
  const gone = orphan && `Invoice ${orphan.invoiceId} is to be paid to ${orphan.creditorName}, who is no creditor now`;
  const message = invoices.length === 0 ? none : gone;
  return message === undefined ? [] : [{ id: paymentChoices.invoices, message }];
}

/** What is wrong before paying: the bank account, the rules' fields, the invoices (spec, section 5). */
function paymentErrors(context: Context, kind: PaymentKind): FieldError[] {
  const debtor = debtorOf(context);
  const hasAccount = debtor && debtor.debtorAgentidentification !== '' && debtor.debtorAccountidentification !== '';
  return [
    ...(hasAccount ? [] : [{ id: paymentChoices.bankAccount, message: paymentMessages.noBankAccount }]),
    ...formErrors(context),
    ...invoiceErrors(context, kind),
  ];
}

/** What will be paid, for the review: totals by currency (ux, rule 9). */
export const reviewTotals = (choice: Pick<Context, 'invoices' | 'ticked'>): Total[] =>
  totalsByCurrency(tickedInvoices(choice));

function unsentBatch(context: Context): UnsentBatch {
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

/**
 * Paying invoices electronically or by bank file (spec, sections 2 and 5): choose, review, then pay. While a payment
 * is under way no event is heard, so that nothing is sent twice. Ports: `loadMaterial`, `pay`.
 */
function paymentChart(kind: PaymentKind) {
  const { id, requires } = kind === 'file' ? filePayment : electronicPayment;
  return setup({
    types: {
      context: {} as Context,
      events: {} as
        | JourneyEvent
        | FormEvent
        | { type: 'format.choose'; fileFormatId: string }
        | { type: 'debtor.choose'; debtorId: string }
        | { type: 'invoices.tick'; ids: readonly string[] }
        | { type: 'review.back' }
        | { type: 'payment.pay' },
      tags: {} as Tag,
      meta: {} as Meta,
    },
    actors: {
      loadMaterial: port<void, PaymentMaterial>('loadMaterial'),
      pay: port<UnsentBatch, { batchId: string }>('pay'),
    },
    guards: {
      lacks,
      asksForFormat: () => kind === 'file',
      isOffered: ({ context, event }) =>
        kind === 'file' &&
        event.type === 'format.choose' &&
        context.fileFormats.some((format) => format.fileFormatId === event.fileFormatId),
      valid: ({ context }) => paymentErrors(context, kind).length === 0,
    },
    actions: {
      chooseFormat: assign(({ context, event }) =>
        event.type === 'format.choose'
          ? { format: context.fileFormats.find((format) => format.fileFormatId === event.fileFormatId) ?? null }
          : {},
      ),
      open: assign(({ context }) =>
        openForm(paymentForm(context.rules, context.format?.specification.rules), context.values),
      ),
      change: assign(({ context, event }) => (event.type === 'form.change' ? changeField(context, event) : {})),
      chooseDebtor: assign(({ context, event }) =>
        event.type === 'debtor.choose'
          ? {
              debtorId: event.debtorId,
              errors: context.errors.filter((error) => error.id !== paymentChoices.bankAccount),
            }
          : {},
      ),
      tick: assign(({ context, event }) =>
        event.type === 'invoices.tick'
          ? { ticked: event.ids, errors: context.errors.filter((error) => error.id !== paymentChoices.invoices) }
          : {},
      ),
      showErrors: assign(({ context }) => ({ errors: paymentErrors(context, kind) })),
      clearErrors: assign({ errors: [], failure: null }),
      forgetFailure: assign({ failure: null }),
      fail: assign((_, { error }: { error: unknown }) => ({ failure: failureOf(error) })),
    },
  }).createMachine({
    id,
    context: {
      ...noFacts,
      ...emptyForm,
      rules: [],
      debtors: [],
      creditors: [],
      invoices: [],
      fileFormats: [],
      today: '',
      format: null,
      debtorId: '',
      ticked: [],
      batchId: '',
    },
    initial: 'loading',
    states: {
      loading: {
        tags: ['busy'],
        meta: { description: 'Reads accounts, payees, invoices and rules' },
        entry: 'forgetFailure',
        invoke: {
          id: 'loadMaterial',
          src: 'loadMaterial',
          onDone: { target: 'checking', actions: assign(({ event }) => event.output) },
          onError: {
            target: 'unavailable',
            actions: { type: 'fail', params: ({ event }) => ({ error: event.error }) },
          },
        },
      },
      unavailable: {
        tags: ['failed'],
        meta: { description: 'What a payment needs could not be read' },
        on: { retry: { target: 'loading' }, 'form.cancel': { target: 'closed' } },
      },
      checking: { always: checks(requires, 'entering') },
      ...gates(requires),
      entering: { always: [{ guard: 'asksForFormat', target: 'choosingFormat' }, { target: 'opening' }] },
      choosingFormat: {
        tags: ['form'],
        meta: { description: 'A bank file template is to be chosen first' },
        on: {
          'format.choose': { guard: 'isOffered', target: 'opening', actions: 'chooseFormat' },
          'form.cancel': { target: 'closed' },
        },
      },
      opening: { always: { target: 'editing', actions: 'open' } },
      editing: {
        tags: ['form'],
        meta: { description: 'Bank account, additional data and invoices are chosen' },
        on: {
          'format.choose': { guard: 'isOffered', target: 'opening', actions: 'chooseFormat' },
          'debtor.choose': { actions: 'chooseDebtor' },
          'form.change': { actions: 'change' },
          'invoices.tick': { actions: 'tick' },
          'form.submit': [
            { guard: 'valid', target: 'reviewing', actions: 'clearErrors' },
            { target: 'invalid', actions: 'showErrors' },
          ],
          'form.cancel': { target: 'closed' },
        },
      },
      invalid: {
        tags: ['form'],
        meta: { description: 'Something is missing or wrong before the review' },
        on: {
          'format.choose': { guard: 'isOffered', target: 'opening', actions: 'chooseFormat' },
          'debtor.choose': { actions: 'chooseDebtor' },
          'form.change': { actions: 'change' },
          'invoices.tick': { actions: 'tick' },
          'form.submit': [{ guard: 'valid', target: 'reviewing', actions: 'clearErrors' }, { actions: 'showErrors' }],
          'form.cancel': { target: 'closed' },
        },
      },
      reviewing: {
        tags: ['form'],
        meta: { description: 'Who is paid from which account, how many, the totals and the date' },
        on: {
          'payment.pay': { target: 'paying' },
          'review.back': { target: 'editing' },
          'form.cancel': { target: 'closed' },
        },
      },
      paying: {
        tags: ['form', 'busy'],
        meta: { description: 'The batch is being posted' },
        entry: 'clearErrors',
        invoke: {
          id: 'pay',
          src: 'pay',
          input: ({ context }) => unsentBatch(context),
          onDone: { target: 'succeeded', actions: assign(({ event }) => event.output) },
          onError: { target: 'refused', actions: { type: 'fail', params: ({ event }) => ({ error: event.error }) } },
        },
      },
      refused: {
        tags: ['form', 'failed'],
        meta: { description: 'The service refused the batch, or its answer was lost' },
        on: {
          'payment.pay': { target: 'paying' },
          retry: { target: 'paying' },
          'review.back': { target: 'editing', actions: 'forgetFailure' },
          'form.cancel': { target: 'closed' },
        },
      },
      succeeded: {
        tags: ['done'],
        meta: { description: 'The batch is posted' },
        on: { 'form.cancel': { target: 'closed' } },
      },
      closed: { type: 'final', meta: { description: 'The journey is left' } },
    },
  });
}

export const electronicPaymentMachine = paymentChart('electronic');
export const filePaymentMachine = paymentChart('file');
