import { assign, emit, setup } from 'xstate';
import {
  blockedState,
  isBlocked,
  factsIn,
  cancelledState,
  succeededState,
  finalOutput,
  type JourneyEmitted,
  type JourneyInput,
  type JourneyOutput,
  type Meta,
  type Tag,
} from '../lib/gate.ts';
import { doubleClick, doubleClickPasses } from '../lib/doubleClick.ts';
import { readTexts, toFailed, failureOf, effect, actionTexts } from '../lib/effect.ts';
import { pressLabel, describedGuard } from '../lib/describe.ts';
import {
  afterReview,
  chosen,
  choosing,
  learntFrom,
  noPayment,
  opened,
  reviewed,
  whenSettled,
  type Args,
  type PaymentEvent,
} from './choices.ts';
import { electronicPayment, filePayment } from './journeys.ts';
import { findingsOf } from './review.ts';
import { refusedErrors } from './faults.ts';
import {
  isLive,
  mayPay,
  outgoingPayment,
  paymentErrors,
  settledIn,
  unsentBatch,
  type InvoicesAsked,
  type OutgoingPayment,
  type PaymentContext,
  type PaymentInput,
  type PaymentKind,
  type PaymentMaterial,
  type PreparedPayment,
  type UnsentBatch,
} from './payment.ts';

/** Reads the payment's material, for the first time or for another number of invoices. */
const loadMaterial = {
  id: 'loadMaterial',
  src: 'loadMaterial',
  input: ({ context: { facts, invoiceCount, correcting } }: { context: PaymentContext }) => ({
    facts,
    invoiceCount,
    correcting,
  }),
  onDone: {
    target: 'entering',
    actions: {
      type: 'assignMaterial',
      params: ({ event }: { event: { output: PaymentMaterial } }) => ({ material: event.output }),
    },
  },
  onError: toFailed('unavailable'),
} as const;

/**
 * Pays invoices electronically or by bank file (behaviour, sections 2 and 5): choose, review, then pay. The review
 * receives the idempotency key and asks for confirmation if an invoice may already be paid. Pay replaces the Review
 * button and is ignored for 500 ms, so that a double click pays nothing. While a payment is in progress, no event can
 * send it again. Effects: `loadMaterial`, `prepare`, `pay`; the input contains the number of invoices to list.
 */
function paymentChart(kind: PaymentKind) {
  const { id, requires } = kind === 'file' ? filePayment : electronicPayment;
  return setup({
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
      isBlocked: isBlocked(requires),
      asksForFormat: describedGuard(
        'no template is chosen yet',
        ({ context }: Args) => kind === 'file' && context.format === null,
      ),
      isOffered: describedGuard(
        'it is offered',
        ({ context, event }: Args) =>
          kind === 'file' &&
          event.type === 'format.choose' &&
          context.fileFormats.some((format) => format.fileFormatId === event.fileFormatId),
      ),
      mayFill: describedGuard('it is the sandbox', ({ context }: Args) => context.facts.environment === 'sandbox'),
      isValid: describedGuard('nothing is in error', ({ context }: Args) => paymentErrors(context, kind).length === 0),
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
      assignFacts: assign(({ event }) => factsIn(event)),
      emitFactsChanged: emit({ type: 'facts.changed' }),
      choose: assign(chosen),
      open: assign(({ context }) => opened(context)),
      assignMaterial: assign(({ context }, { material }: { material: PaymentMaterial }) =>
        learntFrom(context, material, kind),
      ),
      // Errors that the service reported no longer apply once the batch is sent again.
      clearErrors: assign({ errors: [], sought: '' }),
      markRefusal: assign(({ context }) => refusedErrors(context)),
      showErrors: assign(({ context }) => ({ errors: paymentErrors(context, kind) })),
      clearFailure: assign({ failure: null }),
      repeat: assign(({ context }) => ({
        repeats: context.repeats || ['unknown', 'done'].includes(context.failure?.outcome ?? ''),
      })),
      assignFailure: assign((_, { error }: { error: unknown }) => ({ failure: failureOf(error) })),
    },
  }).createMachine({
    id,
    context: ({ input }) => noPayment(input),
    initial: 'checking',
    output: finalOutput,
    states: {
      checking: { always: [{ guard: 'isBlocked', target: 'blocked' }, { target: 'loading' }] },
      blocked: blockedState(requires),
      loading: {
        tags: ['busy'],
        meta: { description: 'Reads accounts, payees, invoices and rules' },
        entry: 'clearFailure',
        invoke: loadMaterial,
      },
      unavailable: {
        tags: ['failed'],
        meta: { description: 'What a payment needs could not be read' },
        // Later states ignore new facts, so that exactly what was chosen and reviewed is paid.
        on: {
          'facts.arrived': { actions: 'assignFacts' },
          retry: { target: 'loading' },
          'form.cancel': { target: 'cancelled' },
        },
      },
      // Checks again, because the facts now contain the number of templates just read.
      entering: { always: [{ guard: 'isBlocked', target: 'blocked' }, { target: 'proceeding' }] },
      proceeding: { always: [{ guard: 'asksForFormat', target: 'choosingFormat' }, { target: 'opening' }] },
      choosingFormat: {
        tags: ['form'],
        meta: { description: 'A bank file template is to be chosen first' },
        on: { 'format.choose': choosing['format.choose'], 'form.cancel': choosing['form.cancel'] },
      },
      opening: { always: { target: 'editing', actions: 'open' } },
      editing: {
        tags: ['form'],
        meta: { description: 'Bank account, additional data and invoices are chosen' },
        on: {
          ...choosing,
          'form.submit': [
            { guard: 'isValid', target: 'preparing', actions: 'clearErrors', description: pressLabel('Review') },
            { target: 'invalid', actions: 'showErrors' },
          ],
        },
      },
      invalid: {
        tags: ['form'],
        meta: { description: 'Something is missing or wrong before the review' },
        on: {
          ...choosing,
          'form.submit': [{ guard: 'isValid', target: 'preparing', actions: 'clearErrors' }, { actions: 'showErrors' }],
        },
      },
      listing: {
        tags: ['form', 'busy'],
        meta: { description: 'Another number of invoices is being read' },
        invoke: loadMaterial,
      },
      preparing: {
        tags: ['form', 'busy'],
        meta: { description: 'Requests the idempotency key and the invoices that may already be paid' },
        entry: 'clearFailure',
        invoke: {
          id: 'prepare',
          src: 'prepare',
          input: ({ context }) => unsentBatch(context),
          onDone: {
            target: 'appearing',
            actions: assign(({ context, event }) => ({
              prepared: event.output,
              ...findingsOf(context, event.output),
              again: false,
              repeats: false,
              confirmation: '',
            })),
          },
          onError: toFailed('unprepared'),
        },
      },
      unprepared: {
        tags: ['form', 'failed'],
        meta: { description: 'The review could not be opened; nothing was sent' },
        on: { retry: { target: 'preparing' }, ...afterReview },
      },
      appearing: {
        tags: ['form'],
        meta: {
          description: 'The review has just opened; for half a second Pay does nothing, in case of a double click',
        },
        after: { doubleClick: { target: 'reviewing', description: doubleClickPasses } },
        on: reviewed,
      },
      reviewing: {
        tags: ['form'],
        meta: { description: 'Who is paid from which account, how many, the totals and the date' },
        on: {
          'payment.pay': { guard: 'mayPay', target: 'paying', description: pressLabel('Pay') },
          ...reviewed,
        },
      },
      paying: {
        tags: ['form', 'busy'],
        meta: { description: 'The batch is being posted' },
        entry: 'clearFailure',
        invoke: {
          id: 'pay',
          src: 'pay',
          input: ({ context }) => outgoingPayment(context),
          onDone: { target: 'succeeded', actions: assign({ result: ({ event }) => event.output }) },
          onError: toFailed('refused'),
        },
      },
      refused: {
        tags: ['form', 'failed'],
        meta: { description: 'The service refused the batch, or its response was lost' },
        entry: 'emitFactsChanged',
        on: {
          'payment.pay': { target: 'paying', actions: 'repeat' },
          retry: { target: 'paying', actions: 'repeat' },
          ...whenSettled,
          ...afterReview,
        },
      },
      settled: {
        tags: ['form', 'done'],
        meta: { description: 'The response was lost, but the service has the batch: it is known by its reference' },
        on: { 'facts.arrived': { actions: 'assignFacts' }, 'form.cancel': { target: 'cancelled' } },
      },
      succeeded: succeededState('The batch is posted'),
      cancelled: cancelledState,
    },
  });
}

export const electronicPaymentMachine = paymentChart('electronic');
export const filePaymentMachine = paymentChart('file');
