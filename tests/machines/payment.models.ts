import { electronicPaymentMachine, filePaymentMachine } from '#machines/payment/payment.machine.ts';
import type { Facts } from '#contract/facts.ts';
import { isLive, type PaymentContext, type PaymentMaterial } from '#machines/payment/payment.ts';
import { factsAfter, withFacts } from '#tests/support/facts.ts';
import { creditor, debtor, failure, fileFormat, invoiceOf, rules } from '#tests/support/fixtures.ts';
import { modelOf } from '#tests/support/paths.ts';
import { errorsIn, otherThan, typed } from '#tests/support/formTyping.ts';

const otherFormat = { ...fileFormat, fileFormatId: 'format-2', name: 'Example Short 6' };
const invoices = [invoiceOf('invoice-1', '120.50'), invoiceOf('invoice-2', '0.10')];
const more = [...invoices, invoiceOf('invoice-3', '7.00')];

export const material: PaymentMaterial = {
  rules,
  debtors: [debtor],
  creditors: [creditor],
  invoices,
  fileFormats: [fileFormat, otherFormat],
  formatsFailed: null,
  maximumPayments: 100,
  instrument: 'Faster Payments',
  today: '2026-11-20',
};

const ready = factsAfter('creditor');
const live = withFacts(ready, { environment: 'live' });

/** The facts that name the batch of the payment under this key. */
const settling = (facts: Facts): Facts =>
  withFacts(facts, {
    pendingPayments: [
      {
        key: 'key-1',
        externalId: 'key-1',
        kind: 'electronic',
        payments: 1,
        amount: '120.50 GBP',
        sentAt: '2026-11-20T09:00:00.000Z',
        lost: 'The connection closed.',
        isRepeatable: false,
        interactionId: '',
        settled: {
          batchId: 'batch-1',
          status: 'Completed',
          at: '2026-11-20T09:00:02.000Z',
          by: 'webhook',
          interactionId: '',
        },
      },
    ],
  });

const suspended = { subscriptionId: 'subscription-1', status: 'Authorised', suspendedByConsumer: true };

const gatesOfBoth = {
  'no organisation': factsAfter('settings'),
  'no company': factsAfter('organisation'),
  'no authorisation': factsAfter('subscription'),
  'a suspended subscription': withFacts(ready, { subscription: suspended }),
  'no provider': withFacts(ready, { provider: null }),
  'no debtors': factsAfter('authorisation'),
  'no creditors': factsAfter('debtor'),
};

/** What the review is told; the first of them has nothing in the way. */
const prepare = {
  'a key': { key: 'key-1', covered: [] },
  'a key and a paid invoice': {
    key: 'key-2',
    covered: [{ index: 0, state: 'paid' as const, at: '2026-11-20T09:00:00.000Z', batchId: 'batch-1' }],
  },
};

const pay = { 'a batch': { batchId: 'batch-1' } };

/** Whether anything is chosen yet. */
const isUntouched = ({ debtorId, ticked }: PaymentContext): boolean => debtorId === '' && ticked.length === 0;

/**
 * The user's choices: a known debtor or none, one invoice or none, fields right or wrong. In the other of the two
 * environments only those that lead to what differs there: examples in the sandbox, the confirmation of the total where
 * real money moves.
 */
const choices = (environment: Facts['environment']) => {
  const isOther = ({ facts }: PaymentContext): boolean => facts.environment !== environment;
  return {
    // What is read depends on how many invoices are asked for.
    tries: (context: PaymentContext, answer: string) =>
      answer === 'a key and a paid invoice'
        ? !isOther(context)
        : !['material', 'more invoices'].includes(answer) ||
          (answer === 'more invoices') === (context.invoiceCount === 100),
    events: {
      'form.change': (context: PaymentContext) =>
        typed['form.change'](context).filter(({ value }) => value !== '' || !isOther(context)),
      'debtor.choose': (context: PaymentContext) =>
        isOther(context) && context.debtorId !== ''
          ? []
          : [{ debtorId: otherThan(context.debtorId, debtor.debtorId, '') }],
      'date.choose': (context: PaymentContext) =>
        isOther(context) ? [] : [{ date: otherThan(context.date, '2026-11-21', '2026-11-22') ?? '' }],
      'again.allow': ({ again, prepared }: PaymentContext) =>
        prepared && prepared.covered.length > 0 ? [{ allowed: !again }] : [],
      // Asked before anything is chosen; payment.choices.test.ts asks afterwards, too.
      'invoices.ask': (context: PaymentContext) =>
        isUntouched(context) && !isOther(context) ? [{ count: otherThan(context.invoiceCount, 100, 10) }] : [],
      'invoices.tick': (context: PaymentContext) =>
        isOther(context) && context.ticked.length > 0 ? [] : [{ ids: context.ticked.length > 0 ? [] : ['invoice-1'] }],
      'total.confirm': (context: PaymentContext) =>
        isLive(context) ? [{ text: otherThan(context.confirmation, '120.50 GBP', '') ?? '' }] : [],
      'format.choose': (context: PaymentContext) => {
        const chosen = context.format?.fileFormatId;
        if (isOther(context)) return chosen === undefined ? [{ fileFormatId: fileFormat.fileFormatId }] : [];
        return [
          { fileFormatId: otherThan(chosen, fileFormat.fileFormatId, otherFormat.fileFormatId) ?? '' },
          { fileFormatId: 'unknown' },
        ];
      },
    },
    keepsFacts: 'exactly what was chosen and reviewed is paid',
    reads: (context: PaymentContext) => [
      context.debtorId !== '',
      context.ticked.length,
      context.format !== null,
      errorsIn(context),
      context.prepared?.covered.length,
      context.again,
      context.confirmation,
      isLive(context),
    ],
  };
};

export const electronicPaymentModel = modelOf(electronicPaymentMachine)({
  facts: { ...gatesOfBoth, 'everything, live': settling(live), everything: settling(ready) },
  answers: {
    loadMaterial: {
      material: { ...material, fileFormats: [] },
      'more invoices': { ...material, invoices: more, fileFormats: [] },
    },
    prepare,
    pay,
  },
  ...choices('sandbox'),
});

export const filePaymentModel = modelOf(filePaymentMachine)({
  facts: {
    ...gatesOfBoth,
    'no templates': withFacts(ready, { fileFormats: 0 }),
    everything: settling(ready),
    'everything, live': settling(live),
  },
  answers: {
    loadMaterial: {
      'no templates': { ...material, fileFormats: [], formatsFailed: failure },
      // The template's own field stands for both kinds: a second one would double the paths.
      material: { ...material, rules: [] },
      'more invoices': { ...material, invoices: more, rules: [] },
    },
    prepare,
    pay,
  },
  ...choices('live'),
});
