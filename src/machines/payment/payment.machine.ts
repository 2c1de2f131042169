import { assign, setup } from 'xstate';
import { invoiceCounts } from '#contract/constants.ts';
import { paymentForm } from '#rules/field.ts';
import { changeField, emptyForm, openForm, type FormEvent } from '../form.ts';
import { checks, gates, lacks, noFacts, type JourneyEvent, type Meta, type Tag } from '../gate.ts';
import { arrive, failureOf, port, taken } from '../port.ts';
import { electronicPayment, filePayment } from './journeys.ts';
import {
  mayPay,
  outgoingPayment,
  paymentChoices,
  paymentErrors,
  unsentBatch,
  type InvoicesAsked,
  type OutgoingPayment,
  type PaymentContext,
  type PaymentKind,
  type PaymentMaterial,
  type PreparedPayment,
  type UnsentBatch,
} from './payment.ts';

/** Reading what a payment needs, for the first time or with another number of invoices. */
const loadMaterial = {
  id: 'loadMaterial',
  src: 'loadMaterial',
  input: ({ context: { invoiceCount } }: { context: InvoicesAsked }) => ({ invoiceCount }),
  onDone: {
    target: 'checking',
    actions: {
      type: 'keepMaterial',
      params: ({ event }: { event: { output: PaymentMaterial } }) => ({ material: event.output }),
    },
  },
  onError: {
    target: 'unavailable',
    actions: { type: 'fail', params: ({ event }: { event: { error: unknown } }) => ({ error: event.error }) },
  },
} as const;

/**
 * Paying invoices electronically or by bank file (behaviour, sections 2 and 5): choose, review, then pay. The review is
 * given the idempotency key, and asks where an invoice may be paid already. While a payment is under way no event is
 * heard, so that nothing is sent twice. Ports: `loadMaterial`, `prepare`, `pay`; the input says how many invoices are
 * asked for.
 */
function paymentChart(kind: PaymentKind) {
  const { id, requires } = kind === 'file' ? filePayment : electronicPayment;
  return setup({
    types: {
      context: {} as PaymentContext,
      input: {} as InvoicesAsked | undefined,
      events: {} as
        | JourneyEvent
        | FormEvent
        | { type: 'format.choose'; fileFormatId: string }
        | { type: 'debtor.choose'; debtorId: string }
        | { type: 'date.choose'; date: string }
        | { type: 'invoices.ask'; count: number }
        | { type: 'invoices.tick'; ids: readonly string[] }
        | { type: 'review.back' }
        | { type: 'again.allow'; allowed: boolean }
        | { type: 'payment.pay' },
      tags: {} as Tag,
      meta: {} as Meta,
    },
    actors: {
      loadMaterial: port<InvoicesAsked, PaymentMaterial>('reads', arrive('Accounts, payees and invoices')),
      prepare: port<UnsentBatch, PreparedPayment>('writes', {
        answers: 'The key to pay under arrives',
        fails: 'The review cannot be opened',
      }),
      pay: port<OutgoingPayment, { batchId: string }>('writes', taken('The batch is posted')),
    },
    guards: {
      lacks,
      asksForFormat: ({ context }) => kind === 'file' && context.format === null,
      isOffered: ({ context, event }) =>
        kind === 'file' &&
        event.type === 'format.choose' &&
        context.fileFormats.some((format) => format.fileFormatId === event.fileFormatId),
      valid: ({ context }) => paymentErrors(context, kind).length === 0,
      mayPay: ({ context }) => mayPay(context),
      isCovered: ({ context }) => (context.prepared?.covered.length ?? 0) > 0,
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
      chooseDate: assign(({ context, event }) =>
        event.type === 'date.choose'
          ? { date: event.date, errors: context.errors.filter((error) => error.id !== paymentChoices.date) }
          : {},
      ),
      allowAgain: assign(({ event }) => (event.type === 'again.allow' ? { again: event.allowed } : {})),
      tick: assign(({ context, event }) =>
        event.type === 'invoices.tick'
          ? { ticked: event.ids, errors: context.errors.filter((error) => error.id !== paymentChoices.invoices) }
          : {},
      ),
      ask: assign(({ event }) => (event.type === 'invoices.ask' ? { invoiceCount: event.count } : {})),
      keepMaterial: assign(({ context }, { material }: { material: PaymentMaterial }) => {
        const ids = new Set(material.invoices.map(({ invoiceId }) => invoiceId));
        return { ...material, ticked: context.ticked.filter((id) => ids.has(id)) };
      }),
      showErrors: assign(({ context }) => ({ errors: paymentErrors(context, kind) })),
      forgetFailure: assign({ failure: null }),
      fail: assign((_, { error }: { error: unknown }) => ({ failure: failureOf(error) })),
    },
  }).createMachine({
    id,
    context: ({ input }) => ({
      invoiceCount: input?.invoiceCount ?? invoiceCounts[0],
      ...noFacts,
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
      batchId: '',
    }),
    initial: 'loading',
    states: {
      loading: {
        tags: ['busy'],
        meta: { description: 'Reads accounts, payees, invoices and rules' },
        entry: 'forgetFailure',
        invoke: loadMaterial,
      },
      unavailable: {
        tags: ['failed'],
        meta: { description: 'What a payment needs could not be read' },
        on: { retry: { target: 'loading' }, 'form.cancel': { target: 'cancelled' } },
      },
      checking: { always: checks(requires, 'entering') },
      ...gates(requires),
      entering: { always: [{ guard: 'asksForFormat', target: 'choosingFormat' }, { target: 'opening' }] },
      choosingFormat: {
        tags: ['form'],
        meta: { description: 'A bank file template is to be chosen first' },
        on: {
          'format.choose': { guard: 'isOffered', target: 'opening', actions: 'chooseFormat' },
          'form.cancel': { target: 'cancelled' },
        },
      },
      opening: { always: { target: 'editing', actions: 'open' } },
      editing: {
        tags: ['form'],
        meta: { description: 'Bank account, additional data and invoices are chosen' },
        on: {
          'format.choose': { guard: 'isOffered', target: 'opening', actions: 'chooseFormat' },
          'debtor.choose': { actions: 'chooseDebtor' },
          'date.choose': { actions: 'chooseDate' },
          'form.change': { actions: 'change' },
          'invoices.ask': { target: 'listing', actions: 'ask' },
          'invoices.tick': { actions: 'tick' },
          'form.submit': [
            { guard: 'valid', target: 'preparing' },
            { target: 'invalid', actions: 'showErrors' },
          ],
          'form.cancel': { target: 'cancelled' },
        },
      },
      invalid: {
        tags: ['form'],
        meta: { description: 'Something is missing or wrong before the review' },
        on: {
          'format.choose': { guard: 'isOffered', target: 'opening', actions: 'chooseFormat' },
          'debtor.choose': { actions: 'chooseDebtor' },
          'date.choose': { actions: 'chooseDate' },
          'form.change': { actions: 'change' },
          'invoices.ask': { target: 'listing', actions: 'ask' },
          'invoices.tick': { actions: 'tick' },
          'form.submit': [{ guard: 'valid', target: 'preparing' }, { actions: 'showErrors' }],
          'form.cancel': { target: 'cancelled' },
        },
      },
      listing: {
        tags: ['form', 'busy'],
        meta: { description: 'Another number of invoices is being read' },
        invoke: loadMaterial,
      },
      preparing: {
        tags: ['form', 'busy'],
        meta: { description: 'Its idempotency key is being asked for, and what may be paid already' },
        entry: 'forgetFailure',
        invoke: {
          id: 'prepare',
          src: 'prepare',
          input: ({ context }) => unsentBatch(context),
          onDone: { target: 'reviewing', actions: assign(({ event }) => ({ prepared: event.output, again: false })) },
          onError: { target: 'unprepared', actions: { type: 'fail', params: ({ event }) => ({ error: event.error }) } },
        },
      },
      unprepared: {
        tags: ['form', 'failed'],
        meta: { description: 'The review could not be opened; nothing was sent' },
        on: {
          retry: { target: 'preparing' },
          'review.back': { target: 'editing', actions: 'forgetFailure' },
          'form.cancel': { target: 'cancelled' },
        },
      },
      reviewing: {
        tags: ['form'],
        meta: { description: 'Who is paid from which account, how many, the totals and the date' },
        on: {
          'payment.pay': { guard: 'mayPay', target: 'paying' },
          'again.allow': { guard: 'isCovered', actions: 'allowAgain' },
          'review.back': { target: 'editing' },
          'form.cancel': { target: 'cancelled' },
        },
      },
      paying: {
        tags: ['form', 'busy'],
        meta: { description: 'The batch is being posted' },
        entry: 'forgetFailure',
        invoke: {
          id: 'pay',
          src: 'pay',
          input: ({ context }) => outgoingPayment(context),
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
          'form.cancel': { target: 'cancelled' },
        },
      },
      succeeded: {
        tags: ['done'],
        meta: { description: 'The batch is posted' },
      },
      cancelled: { type: 'final', meta: { description: 'The journey is left' } },
    },
  });
}

export const electronicPaymentMachine = paymentChart('electronic');
export const filePaymentMachine = paymentChart('file');
