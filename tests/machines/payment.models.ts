import type { Facts } from '#contract/facts.ts';
import { electronicPaymentMachine, filePaymentMachine } from '#machines/payment/payment.machine.ts';
import type { PaymentContext, PaymentMaterial } from '#machines/payment/payment.ts';
import { factsAfter, withFacts } from '#tests/support/facts.ts';
import { creditor, debtor, fileFormat, invoiceOf, rules } from '#tests/support/material.ts';
import { modelOf } from '#tests/support/paths.ts';
import { errorsIn, otherThan, typed } from '#tests/support/typing.ts';

const otherFormat = { ...fileFormat, fileFormatId: 'format-2', name: 'Example Short 6' };
const invoices = [invoiceOf('invoice-1', '120.50'), invoiceOf('invoice-2', '0.10')];

export const materialFor = (facts: Facts): PaymentMaterial => ({
  facts,
  rules,
  debtors: [debtor],
  creditors: [creditor],
  invoices,
  fileFormats: [fileFormat, otherFormat],
  maximumPayments: 100,
  today: '2026-11-20',
});

const ready = factsAfter('creditor');
const suspended = { subscriptionId: 'subscription-1', status: 'Authorised', suspendedByConsumer: true };

const gatesOfBoth = {
  'no organisation': materialFor(factsAfter('settings')),
  'no company': materialFor(factsAfter('organisation')),
  'no authorisation': materialFor(factsAfter('subscription')),
  'a suspended subscription': materialFor(withFacts(ready, { subscription: suspended })),
  'no provider': materialFor(withFacts(ready, { provider: null })),
  'no debtors': materialFor(factsAfter('authorisation')),
  'no creditors': materialFor(factsAfter('debtor')),
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
  // Every gate at the first reading; when other invoices are asked for, one stands for all.
  tries: ({ debtors }: PaymentContext, answer: string) =>
    debtors.length === 0 ||
    ['material', 'no organisation', ...Object.keys(prepare), ...Object.keys(pay)].includes(answer),
  events: {
    ...typed,
    'debtor.choose': ({ debtorId }: PaymentContext) => [{ debtorId: otherThan(debtorId, debtor.debtorId, '') }],
    'date.choose': ({ date }: PaymentContext) => [{ date: otherThan(date, '2026-11-21', '2026-11-22') ?? '' }],
    'again.allow': ({ again, prepared }: PaymentContext) =>
      prepared && prepared.covered.length > 0 ? [{ allowed: !again }] : [],
    // Asked before anything is chosen; payment.test.ts asks afterwards, too.
    'invoices.ask': ({ invoiceCount, debtorId, ticked }: PaymentContext) =>
      debtorId === '' && ticked.length === 0 ? [{ count: otherThan(invoiceCount, 100, 10) }] : [],
    'invoices.tick': ({ ticked }: PaymentContext) => [{ ids: ticked.length > 0 ? [] : ['invoice-1'] }],
    'format.choose': ({ format }: PaymentContext) => [
      { fileFormatId: otherThan(format?.fileFormatId, fileFormat.fileFormatId, otherFormat.fileFormatId) ?? '' },
      { fileFormatId: 'unknown' },
    ],
  },
  reads: (context: PaymentContext) => [
    context.debtorId !== '',
    context.ticked.length,
    context.format !== null,
    errorsIn(context),
    context.prepared?.covered.length,
    context.again,
  ],
};

export const electronicPaymentModel = modelOf(electronicPaymentMachine)({
  answers: { loadMaterial: { ...gatesOfBoth, material: materialFor(ready) }, prepare, pay },
  never: {
    'electronicPayment.entering: always, branch 1': 'only a bank file has a template',
    'electronicPayment.choosingFormat': 'only a bank file has a template',
    'electronicPayment.editing: format.choose': 'only a bank file has a template',
    'electronicPayment.invalid: format.choose': 'only a bank file has a template',
  },
  ...choices,
});

export const filePaymentModel = modelOf(filePaymentMachine)({
  answers: {
    loadMaterial: {
      ...gatesOfBoth,
      'no templates': materialFor(withFacts(ready, { fileFormats: 0 })),
      // The template's own field stands for both kinds: a second one would double the paths.
      material: { ...materialFor(ready), rules: [] },
    },
    prepare,
    pay,
  },
  ...choices,
});
