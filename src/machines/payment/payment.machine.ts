import { doubleClickPasses, doubleClick } from '../lib/doubleClick.ts';
import { pressLabel, selectLabel, describedGuard } from '../lib/describe.ts';
import { fillText, formActions } from '../lib/form.ts';
import {
  blockedState,
  cancelledState,
  checkingState,
  finalOutput,
  storesFacts,
  succeededState,
  isBlocked,
  journeyTypes,
  type JourneyInput,
} from '../lib/gate.ts';
import { failsTo, journeyActions, journeyGuards } from '../lib/journeyActions.ts';
import {
  noPayment,
  corrections,
  errorsWithout,
  examples,
  formOf,
  learntFrom,
  restored,
  type PaymentEvent,
} from './choices.ts';
import { electronicPayment, filePayment } from './journeys.ts';
import {
  outgoingPayment,
  unsentBatch,
  type PaymentContext,
  type PaymentMaterial,
  isLive,
  mayPay,
  paymentChoices,
  paymentErrors,
  settledIn,
  type InvoicesAsked,
  type OutgoingPayment,
  type PaymentInput,
  type PreparedPayment,
  type UnsentBatch,
} from './payment.ts';
import { assign, setup } from 'xstate';
import type { DraftInput } from '../lib/draft.ts';
import { actionTexts, effect, readTexts } from '../lib/effect.ts';
import { findingsOf } from './review.ts';
import { refusedErrors } from './faults.ts';

interface Args {
  context: PaymentContext;
  event: PaymentEvent;
}

const requiredBy = ({ kind }: PaymentContext) => (kind === 'file' ? filePayment : electronicPayment).requires;

/** The types, effects, guards and actions of both kinds of payment. */
const payment = setup({
  types: journeyTypes<{
    context: PaymentContext;
    events: PaymentEvent;
    input: Partial<PaymentInput> & DraftInput;
    result: { batchId: string };
  }>(),
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
    openForm: assign(({ context }) => formOf(context)),
    restoreDraft: assign(({ context }) => restored(context)),
    showCorrections: assign(({ context }) => corrections(context)),
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
    openReview: assign(({ context }, prepared: PreparedPayment) => {
      const { preview, broken } = findingsOf(context, prepared);
      return { prepared, preview, broken, again: false, repeats: false, confirmation: '' };
    }),
    allowAgain: assign(({ event }) => (event.type === 'again.allow' ? { again: event.allowed } : {})),
    typeTotal: assign(({ event }) => (event.type === 'total.confirm' ? { confirmation: event.text } : {})),
    markRefusal: assign(({ context }) => refusedErrors(context)),
    markRepeated: assign(({ context: { repeats, failure } }) => ({
      repeats: repeats || ['unknown', 'done'].includes(failure?.outcome ?? ''),
    })),
    assignResult: assign((_, result: { batchId: string }) => ({ result })),
  },
})
  .extend({ guards: journeyGuards, actions: journeyActions })
  .extend({
    actions: {
      changeField: formActions.changeField,
      keepField: formActions.keepField,
      keepExamples: formActions.keepExamples,
    },
  });

/** For what the payment's material is read. */
const invoicesAsked = ({ context: { facts, invoiceCount, correcting } }: { context: PaymentContext }) => ({
  facts,
  invoiceCount,
  correcting,
});

const assignMaterial = {
  type: 'assignMaterial',
  params: ({ event }: { event: { output: PaymentMaterial } }) => event.output,
} as const;

const unavailable = payment.createStateConfig({
  tags: ['failed'],
  description: 'What a payment needs could not be read',
  // Later states ignore new facts, so that exactly what was chosen and reviewed is paid.
  on: {
    'facts.arrived': storesFacts,
    retry: { guard: 'canHelp', target: 'loading' },
    'form.cancel': { target: 'cancelled' },
  },
});

/** The choice of account, date, invoices and what the rules ask for; `id` is that of the chart. */
const formState = (id: string) =>
  payment.createStateConfig({
    description: 'Bank account, additional data and invoices are chosen',
    initial: 'editing',
    on: {
      'debtor.choose': { actions: 'chooseDebtor', description: 'Choose a bank account' },
      'date.choose': { actions: 'chooseDate', description: 'Choose an execution date' },
      'form.change': { actions: ['changeField', 'keepField'] },
      'form.fill': { guard: 'mayFill', actions: ['fillExamples', 'keepExamples'], description: fillText },
      'invoices.ask': { target: 'listing', actions: 'chooseCount', description: selectLabel('Show') },
      'invoices.tick': { actions: 'tickInvoices', description: 'Tick invoices' },
      'form.submit': [
        { guard: 'isValid', target: `#${id}.review`, actions: 'clearErrors', description: pressLabel('Review') },
        { target: '.invalid', actions: 'showErrors' },
      ],
      'form.cancel': { target: `#${id}.cancelled`, description: pressLabel('Cancel') },
    },
    states: {
      editing: { description: 'The form is open' },
      invalid: { description: 'Something is missing or wrong before the review' },
    },
  });

/** The review: what is sent, to whom, and whether it may already be paid; then the payment. */
const reviewState = (id: string) => {
  // While no call is in progress, the review can be left.
  const goesBack = {
    target: `#${id}.choosing.form`,
    actions: ['markRefusal', 'clearFailure'],
    description: pressLabel('Back'),
  } as const;
  const cancels = { target: `#${id}.cancelled` } as const;
  /** The payment was sent earlier, and its batch becomes known. */
  const settles = {
    guard: 'isSettled',
    target: 'settled',
    actions: storesFacts.actions,
    description: 'A batch with the reference of the payment is known',
  } as const;
  const allowsAgain = {
    guard: 'isCovered',
    actions: 'allowAgain',
    description: 'Tick or untick paying the invoices again',
  } as const;
  const typesTotal = { guard: 'isLive', actions: 'typeTotal', description: 'Type the total' } as const;
  return payment.createStateConfig({
    tags: ['form'],
    description: 'Who is paid from which account, how many, the totals and the date',
    initial: 'preparing',
    states: {
      preparing: {
        tags: ['busy'],
        description: 'Requests the idempotency key and the invoices that may already be paid',
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
        description: 'The review could not be opened; nothing was sent',
        on: { retry: { guard: 'canHelp', target: 'preparing' }, 'review.back': goesBack, 'form.cancel': cancels },
      },
      settling: {
        description: 'The review has just opened; for half a second Pay does nothing, in case of a double click',
        after: { doubleClick: { target: 'ready', description: doubleClickPasses } },
        on: {
          'again.allow': allowsAgain,
          'total.confirm': typesTotal,
          'facts.arrived': settles,
          'review.back': goesBack,
          'form.cancel': cancels,
        },
      },
      ready: {
        description: 'Who is paid from which account, how many, the totals and the date',
        on: {
          'payment.pay': { guard: 'mayPay', target: 'paying', description: pressLabel('Pay') },
          'again.allow': allowsAgain,
          'total.confirm': typesTotal,
          'facts.arrived': settles,
          'review.back': goesBack,
          'form.cancel': cancels,
        },
      },
      paying: {
        tags: ['busy'],
        description: 'The batch is being posted',
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
        description: 'The service refused the batch, or its response was lost',
        entry: 'emitFactsChanged',
        on: {
          'payment.pay': { target: 'paying', actions: 'markRepeated' },
          retry: { guard: 'canHelp', target: 'paying', actions: 'markRepeated' },
          'facts.arrived': settles,
          'review.back': goesBack,
          'form.cancel': cancels,
        },
      },
      settled: {
        tags: ['done'],
        description: 'The response was lost, but the service has the batch: it is known by its reference',
        on: { 'facts.arrived': storesFacts, 'form.cancel': cancels },
      },
    },
  });
};

const loadingText = 'Reads accounts, payees, invoices and rules';
const listingText = 'Another number of invoices is being read';
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
    checking: checkingState('loading'),
    blocked: blockedState(electronicPayment.requires),
    loading: {
      tags: ['busy'],
      description: loadingText,
      entry: 'clearFailure',
      invoke: {
        id: 'loadMaterial',
        src: 'loadMaterial',
        input: invoicesAsked,
        onDone: { target: 'choosing', actions: [assignMaterial, 'openForm', 'restoreDraft', 'showCorrections'] },
        onError: failsTo('unavailable'),
      },
    },
    unavailable,
    choosing: {
      tags: ['form'],
      description: 'What is paid is chosen',
      initial: 'form',
      states: {
        form: formState(electronicPayment.id),
        listing: {
          tags: ['busy'],
          description: listingText,
          invoke: {
            id: 'loadMaterial',
            src: 'loadMaterial',
            input: invoicesAsked,
            onDone: { target: 'form', actions: [assignMaterial, 'openForm', 'restoreDraft', 'showCorrections'] },
            onError: failsTo(`#${electronicPayment.id}.unavailable`),
          },
        },
      },
    },
    review: reviewState(electronicPayment.id),
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
    checking: checkingState('loading'),
    blocked: blockedState(filePayment.requires),
    loading: {
      tags: ['busy'],
      description: loadingText,
      entry: 'clearFailure',
      invoke: {
        id: 'loadMaterial',
        src: 'loadMaterial',
        input: invoicesAsked,
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
        { target: 'choosing.form', actions: ['openForm', 'restoreDraft', 'showCorrections'] },
      ],
    },
    choosing: {
      tags: ['form'],
      description: 'What is paid is chosen',
      initial: 'format',
      on: {
        'format.choose': {
          guard: 'isOffered',
          target: '.form',
          actions: ['chooseFormat', 'openForm', 'restoreDraft', 'showCorrections'],
          description: 'Choose a bank file template',
        },
      },
      states: {
        format: {
          description: 'A bank file template is to be chosen first',
          on: { 'form.cancel': { target: `#${filePayment.id}.cancelled`, description: pressLabel('Cancel') } },
        },
        form: formState(filePayment.id),
        listing: {
          tags: ['busy'],
          description: listingText,
          on: { 'format.choose': {} },
          invoke: {
            id: 'loadMaterial',
            src: 'loadMaterial',
            input: invoicesAsked,
            onDone: { target: `#${filePayment.id}.entering`, actions: assignMaterial },
            onError: failsTo(`#${filePayment.id}.unavailable`),
          },
        },
      },
    },
    review: reviewState(filePayment.id),
    succeeded,
    cancelled: cancelledState,
  },
});
