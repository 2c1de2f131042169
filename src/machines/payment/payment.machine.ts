import { assign, setup } from 'xstate';
import { fillText, changeField } from '../lib/form.ts';
import { blockedState, cancelledState, finalOutput, isBlocked, storesFacts, succeededState } from '../lib/gate.ts';
import type { JourneyEmitted, JourneyInput, JourneyOutput, Meta, Tag } from '../lib/gate.ts';
import { doubleClick, doubleClickPasses } from '../lib/doubleClick.ts';
import { actionTexts, effect, readTexts } from '../lib/effect.ts';
import { failsTo, journeyActions } from '../lib/journeyActions.ts';
import { describedGuard, pressLabel, selectLabel } from '../lib/describe.ts';
import { errorsWithout, examples, learntFrom, noPayment, opened, type PaymentEvent } from './choices.ts';
import { electronicPayment, filePayment } from './journeys.ts';
import { findingsOf } from './review.ts';
import { refusedErrors } from './faults.ts';
import {
  isLive,
  mayPay,
  outgoingPayment,
  paymentChoices,
  paymentErrors,
  settledIn,
  unsentBatch,
  type InvoicesAsked,
  type OutgoingPayment,
  type PaymentContext,
  type PaymentInput,
  type PaymentMaterial,
  type PreparedPayment,
  type UnsentBatch,
} from './payment.ts';

interface Args {
  context: PaymentContext;
  event: PaymentEvent;
}

const requiredBy = ({ kind }: PaymentContext) => (kind === 'file' ? filePayment : electronicPayment).requires;

const payment = setup({
  types: {
    context: {} as PaymentContext,
    input: {} as JourneyInput<Partial<PaymentInput>>,
    output: {} as JourneyOutput<{ batchId: string }>,
    events: {} as PaymentEvent,
    emitted: {} as JourneyEmitted,
    tags: {} as Tag,
    meta: {} as Meta,
  },
  actors: {
    loadMaterial: effect<JourneyInput<InvoicesAsked>, PaymentMaterial>(
      'reads',
      readTexts('Accounts, payees and invoices'),
    ),
    prepare: effect<UnsentBatch, PreparedPayment>('writes', {
      answers: 'The idempotency key arrives',
      fails: 'The review cannot be opened',
    }),
    pay: effect<OutgoingPayment, { batchId: string }>('writes', actionTexts('The batch is posted')),
  },
  delays: { doubleClick },
  guards: {
    isBlocked: describedGuard('a requirement is missing', (args: Args) => isBlocked(requiredBy(args.context))(args)),
    isFormatMissing: describedGuard('no template is chosen yet', ({ context }: Args) => context.format === null),
    isOffered: describedGuard(
      'it is offered',
      ({ context, event }: Args) =>
        event.type === 'format.choose' &&
        context.fileFormats.some((format) => format.fileFormatId === event.fileFormatId),
    ),
    mayFill: describedGuard('it is the sandbox', ({ context }: Args) => context.facts.environment === 'sandbox'),
    isValid: describedGuard('nothing is in error', ({ context }: Args) => paymentErrors(context).length === 0),
    mayPay: describedGuard(
      'no value breaks a rule; no invoice may be paid already, or paying again is confirmed; and the total is confirmed where required',
      ({ context }: Args) => mayPay(context),
    ),
    isSettled: describedGuard(
      'it names the payment’s batch',
      ({ context, event }: Args) => event.type === 'facts.arrived' && settledIn(event.facts, context) !== undefined,
    ),
    isLive: describedGuard('real money moves', ({ context }: Args) => isLive(context)),
    isCovered: describedGuard(
      'an invoice may be paid already',
      ({ context }: Args) => (context.prepared?.covered.length ?? 0) > 0,
    ),
  },
  actions: {
    assignMaterial: assign(({ context }, material: PaymentMaterial) => learntFrom(context, material)),
    openForm: assign(({ context }) => opened(context)),
    chooseFormat: assign(({ context: { fileFormats }, event }) =>
      event.type === 'format.choose'
        ? { format: fileFormats.find(({ fileFormatId }) => fileFormatId === event.fileFormatId) ?? null }
        : {},
    ),
    chooseDebtor: assign(({ context, event }) =>
      event.type === 'debtor.choose'
        ? { debtorId: event.debtorId, errors: errorsWithout(context, paymentChoices.bankAccount) }
        : {},
    ),
    chooseDate: assign(({ context, event }) =>
      event.type === 'date.choose' ? { date: event.date, errors: errorsWithout(context, paymentChoices.date) } : {},
    ),
    changeField: assign(({ context, event }) => (event.type === 'form.change' ? changeField(context, event) : {})),
    fillExamples: assign(({ context }) => examples(context)),
    chooseCount: assign(({ event }) => (event.type === 'invoices.ask' ? { invoiceCount: event.count } : {})),
    tickInvoices: assign(({ context, event }) =>
      event.type === 'invoices.tick'
        ? { ticked: event.ids, errors: errorsWithout(context, paymentChoices.invoices) }
        : {},
    ),
    showErrors: assign(({ context }) => ({ errors: paymentErrors(context) })),
    // Errors that the service reported no longer apply once the batch is sent again.
    clearErrors: assign({ errors: [], sought: '' }),
    openReview: assign(({ context }, prepared: PreparedPayment) => ({
      prepared,
      ...findingsOf(context, prepared),
      again: false,
      repeats: false,
      confirmation: '',
    })),
    allowAgain: assign(({ event }) => (event.type === 'again.allow' ? { again: event.allowed } : {})),
    typeTotal: assign(({ event }) => (event.type === 'total.confirm' ? { confirmation: event.text } : {})),
    markRefusal: assign(({ context }) => refusedErrors(context)),
    markRepeated: assign(({ context: { repeats, failure } }) => ({
      repeats: repeats || ['unknown', 'done'].includes(failure?.outcome ?? ''),
    })),
    assignResult: assign((_, result: { batchId: string }) => ({ result })),
  },
}).extend({ actions: journeyActions });

/** Reads the payment's material, for the first time or for another number of invoices. */
const readsMaterial = {
  id: 'loadMaterial',
  src: 'loadMaterial',
  input: ({ context: { facts, invoiceCount, correcting } }: { context: PaymentContext }) => ({
    facts,
    invoiceCount,
    correcting,
  }),
} as const;

const assignMaterial = {
  type: 'assignMaterial',
  params: ({ event }: { event: { output: PaymentMaterial } }) => event.output,
} as const;

const unavailable = payment.createStateConfig({
  tags: ['failed'],
  meta: { description: 'What a payment needs could not be read' },
  // Later states ignore new facts, so that exactly what was chosen and reviewed is paid.
  on: { 'facts.arrived': storesFacts, retry: { target: 'loading' }, 'form.cancel': { target: 'cancelled' } },
});

/** The choice of account, date, invoices and what the rules ask for; `id` is that of the chart. */
const formOf = (id: string) =>
  payment.createStateConfig({
    meta: { description: 'Bank account, additional data and invoices are chosen' },
    initial: 'editing',
    on: {
      'debtor.choose': { actions: 'chooseDebtor', description: 'Choose a bank account' },
      'date.choose': { actions: 'chooseDate', description: 'Choose an execution date' },
      'form.change': { actions: 'changeField' },
      'form.fill': { guard: 'mayFill', actions: 'fillExamples', description: fillText },
      'invoices.ask': { target: 'listing', actions: 'chooseCount', description: selectLabel('Show') },
      'invoices.tick': { actions: 'tickInvoices', description: 'Tick invoices' },
      'form.submit': [
        { guard: 'isValid', target: `#${id}.review`, actions: 'clearErrors', description: pressLabel('Review') },
        { target: '.invalid', actions: 'showErrors' },
      ],
      'form.cancel': { target: `#${id}.cancelled`, description: pressLabel('Cancel') },
    },
    states: {
      editing: { meta: { description: 'The form is open' } },
      invalid: { meta: { description: 'Something is missing or wrong before the review' } },
    },
  });

/** The review: what is sent, to whom, and whether it may already be paid; then the payment. */
const reviewOf = (id: string) => {
  /** Transitions while no call is in progress. */
  const leaves = {
    'review.back': {
      target: `#${id}.choosing.form`,
      actions: ['markRefusal', 'clearFailure'],
      description: pressLabel('Back'),
    },
    'form.cancel': { target: `#${id}.cancelled` },
  } as const;
  /** The payment was sent earlier, and its batch becomes known. */
  const settles = {
    'facts.arrived': {
      guard: 'isSettled',
      target: 'settled',
      ...storesFacts,
      description: 'A batch with the reference of the payment is known',
    },
  } as const;
  const confirms = {
    'again.allow': {
      guard: 'isCovered',
      actions: 'allowAgain',
      description: 'Tick or untick paying the invoices again',
    },
    'total.confirm': { guard: 'isLive', actions: 'typeTotal', description: 'Type the total' },
  } as const;
  return payment.createStateConfig({
    tags: ['form'],
    meta: { description: 'Who is paid from which account, how many, the totals and the date' },
    initial: 'preparing',
    states: {
      preparing: {
        tags: ['busy'],
        meta: { description: 'Requests the idempotency key and the invoices that may already be paid' },
        entry: 'clearFailure',
        invoke: {
          id: 'prepare',
          src: 'prepare',
          input: ({ context }) => unsentBatch(context),
          onDone: { target: 'settling', actions: { type: 'openReview', params: ({ event }) => event.output } },
          onError: failsTo('unprepared'),
        },
      },
      unprepared: {
        tags: ['failed'],
        meta: { description: 'The review could not be opened; nothing was sent' },
        on: { retry: { target: 'preparing' }, ...leaves },
      },
      settling: {
        meta: {
          description: 'The review has just opened; for half a second Pay does nothing, in case of a double click',
        },
        after: { doubleClick: { target: 'ready', description: doubleClickPasses } },
        on: { ...confirms, ...settles, ...leaves },
      },
      ready: {
        meta: { description: 'Who is paid from which account, how many, the totals and the date' },
        on: {
          'payment.pay': { guard: 'mayPay', target: 'paying', description: pressLabel('Pay') },
          ...confirms,
          ...settles,
          ...leaves,
        },
      },
      paying: {
        tags: ['busy'],
        meta: { description: 'The batch is being posted' },
        entry: 'clearFailure',
        invoke: {
          id: 'pay',
          src: 'pay',
          input: ({ context }) => outgoingPayment(context),
          onDone: {
            target: `#${id}.succeeded`,
            actions: { type: 'assignResult', params: ({ event }) => event.output },
          },
          onError: failsTo('refused'),
        },
      },
      refused: {
        tags: ['failed'],
        meta: { description: 'The service refused the batch, or its response was lost' },
        entry: 'emitFactsChanged',
        on: {
          'payment.pay': { target: 'paying', actions: 'markRepeated' },
          retry: { target: 'paying', actions: 'markRepeated' },
          ...settles,
          ...leaves,
        },
      },
      settled: {
        tags: ['done'],
        meta: { description: 'The response was lost, but the service has the batch: it is known by its reference' },
        on: { 'facts.arrived': storesFacts, 'form.cancel': { target: `#${id}.cancelled` } },
      },
    },
  });
};

const loading = { tags: ['busy'], meta: { description: 'Reads accounts, payees, invoices and rules' } } as const;
const listing = { tags: ['busy'], meta: { description: 'Another number of invoices is being read' } } as const;
const succeeded = succeededState('The batch is posted');

/**
 * Pays invoices electronically (behaviour, sections 2 and 5): choose, review, then pay. The review receives the
 * idempotency key and asks for confirmation if an invoice may already be paid. Pay replaces the Review button and is
 * ignored for 500 ms, so that a double click pays nothing. While a payment is in progress, no event can send it again.
 * Effects: `loadMaterial`, `prepare`, `pay`; the input contains the number of invoices to list.
 */
export const electronicPaymentMachine = payment.createMachine({
  id: electronicPayment.id,
  context: ({ input }) => noPayment('electronic', input),
  initial: 'checking',
  output: finalOutput,
  states: {
    checking: { always: [{ guard: 'isBlocked', target: 'blocked' }, { target: 'loading' }] },
    blocked: blockedState(electronicPayment.requires),
    loading: {
      ...loading,
      entry: 'clearFailure',
      invoke: {
        ...readsMaterial,
        onDone: { target: 'choosing', actions: [assignMaterial, 'openForm'] },
        onError: failsTo('unavailable'),
      },
    },
    unavailable,
    choosing: {
      tags: ['form'],
      meta: { description: 'What is paid is chosen' },
      initial: 'form',
      states: {
        form: formOf(electronicPayment.id),
        listing: {
          ...listing,
          invoke: {
            ...readsMaterial,
            onDone: { target: 'form', actions: [assignMaterial, 'openForm'] },
            onError: failsTo(`#${electronicPayment.id}.unavailable`),
          },
        },
      },
    },
    review: reviewOf(electronicPayment.id),
    succeeded,
    cancelled: cancelledState,
  },
});

/** Pays invoices by a bank file: the same, after a template has been chosen. */
export const filePaymentMachine = payment.createMachine({
  id: filePayment.id,
  context: ({ input }) => noPayment('file', input),
  initial: 'checking',
  output: finalOutput,
  states: {
    checking: { always: [{ guard: 'isBlocked', target: 'blocked' }, { target: 'loading' }] },
    blocked: blockedState(filePayment.requires),
    loading: {
      ...loading,
      entry: 'clearFailure',
      invoke: {
        ...readsMaterial,
        onDone: { target: 'entering', actions: assignMaterial },
        onError: failsTo('unavailable'),
      },
    },
    unavailable,
    // Checks again, because the facts now contain the number of templates just read.
    entering: {
      always: [
        { guard: 'isBlocked', target: 'blocked' },
        { guard: 'isFormatMissing', target: 'choosing.format' },
        { target: 'choosing.form', actions: 'openForm' },
      ],
    },
    choosing: {
      tags: ['form'],
      meta: { description: 'What is paid is chosen' },
      initial: 'format',
      on: {
        'format.choose': {
          guard: 'isOffered',
          target: '.form',
          actions: ['chooseFormat', 'openForm'],
          description: 'Choose a bank file template',
        },
      },
      states: {
        format: {
          meta: { description: 'A bank file template is to be chosen first' },
          on: { 'form.cancel': { target: `#${filePayment.id}.cancelled`, description: pressLabel('Cancel') } },
        },
        form: formOf(filePayment.id),
        listing: {
          ...listing,
          on: { 'format.choose': {} },
          invoke: {
            ...readsMaterial,
            onDone: { target: `#${filePayment.id}.entering`, actions: assignMaterial },
            onError: failsTo(`#${filePayment.id}.unavailable`),
          },
        },
      },
    },
    review: reviewOf(filePayment.id),
    succeeded,
    cancelled: cancelledState,
  },
});
