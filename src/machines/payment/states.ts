import { fillText } from '../lib/form.ts';
import { storesFacts } from '../lib/gate.ts';
import { doubleClickPasses } from '../lib/doubleClick.ts';
import { failsTo } from '../lib/journeyActions.ts';
import { pressLabel, selectLabel } from '../lib/describe.ts';
import { outgoingPayment, unsentBatch, type PaymentContext, type PaymentMaterial } from './payment.ts';
import { payment } from './payment.setup.ts';

/** For what the payment's material is read. */
export const invoicesAsked = ({ context: { facts, invoiceCount, correcting } }: { context: PaymentContext }) => ({
  facts,
  invoiceCount,
  correcting,
});

export const assignMaterial = {
  type: 'assignMaterial',
  params: ({ event }: { event: { output: PaymentMaterial } }) => event.output,
} as const;

export const unavailable = payment.createStateConfig({
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
export const formState = (id: string) =>
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
export const reviewState = (id: string) => {
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
