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
  today: '2026-11-20',
};

const ready = factsAfter('creditor');

/** The facts that name the batch of the payment under this key. */
const settling = (facts: Facts): Facts =>
  withFacts(facts, {
    pendingPayments: [
      {
        ...{ key: 'key-1', externalId: 'key-1', kind: 'electronic', payments: 1, amount: '120.50 GBP' },
        ...{
          sentAt: '2026-11-20T09:00:00.000Z',
          lost: 'The connection closed.',
          isRepeatable: false,
          interactionId: '',
        },
        settled: {
          ...{ batchId: 'batch-1', status: 'Completed', at: '2026-11-20T09:00:02.000Z' },
          ...{ by: 'webhook', interactionId: '' },
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

/** The user's choices: a known debtor or none, one invoice or none, fields right or wrong. */
const choices = {
  // What is read depends on how many invoices are asked for.
  tries: ({ invoiceCount }: PaymentContext, answer: string) =>
    !['material', 'more invoices'].includes(answer) || (answer === 'more invoices') === (invoiceCount === 100),
  events: {
    ...typed,
    'debtor.choose': ({ debtorId }: PaymentContext) => [{ debtorId: otherThan(debtorId, debtor.debtorId, '') }],
    'date.choose': ({ date }: PaymentContext) => [{ date: otherThan(date, '2026-11-21', '2026-11-22') ?? '' }],
    'again.allow': ({ again, prepared }: PaymentContext) =>
      prepared && prepared.covered.length > 0 ? [{ allowed: !again }] : [],
    // Asked before anything is chosen; payment.choices.test.ts asks afterwards, too.
    'invoices.ask': ({ invoiceCount, debtorId, ticked }: PaymentContext) =>
      debtorId === '' && ticked.length === 0 ? [{ count: otherThan(invoiceCount, 100, 10) }] : [],
    'invoices.tick': ({ ticked }: PaymentContext) => [{ ids: ticked.length > 0 ? [] : ['invoice-1'] }],
    'total.confirm': ({ confirmation, facts }: PaymentContext) =>
      isLive({ facts }) ? [{ text: otherThan(confirmation, '120.50 GBP', '') ?? '' }] : [],
    'format.choose': ({ format }: PaymentContext) => [
      { fileFormatId: otherThan(format?.fileFormatId, fileFormat.fileFormatId, otherFormat.fileFormatId) ?? '' },
      { fileFormatId: 'unknown' },
    ],
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
  ],
};

export const electronicPaymentModel = modelOf(electronicPaymentMachine)({
  facts: { ...gatesOfBoth, everything: settling(ready) },
  answers: {
    loadMaterial: {
      material: { ...material, fileFormats: [] },
      'more invoices': { ...material, invoices: more, fileFormats: [] },
    },
    prepare,
    pay,
  },
  never: {
    'electronicPayment.review.ready: total.confirm': 'it is walked in the sandbox, where no total is typed',
    'electronicPayment.review.settling: total.confirm': 'it is walked in the sandbox, where no total is typed',
  },
  ...choices,
});

export const filePaymentModel = modelOf(filePaymentMachine)({
  // Where real money moves; electronic payments are walked in the sandbox.
  facts: {
    ...gatesOfBoth,
    'no templates': withFacts(ready, { fileFormats: 0 }),
    'everything, live': settling(withFacts(ready, { environment: 'live' })),
  },
  never: {
    'filePayment.choosing.form: form.fill': 'examples are the sandbox’s',
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
  ...choices,
});
