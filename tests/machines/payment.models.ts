import type { Facts } from '#contract/facts.ts';
import { electronicPaymentMachine, filePaymentMachine, type PaymentMaterial } from '#machines/payment.machine.ts';
import { factsAfter, withFacts } from '#tests/support/facts.ts';
import { creditor, debtor, fileFormat, invoiceOf, rules } from '#tests/support/material.ts';
import { modelOf } from '#tests/support/paths.ts';
import { errorsIn, typing } from '#tests/support/typing.ts';

export const invoices = [invoiceOf('invoice-1', '120.50'), invoiceOf('invoice-2', '0.10')];

export const materialFor = (facts: Facts): PaymentMaterial => ({
  facts,
  rules,
  debtors: [debtor],
  creditors: [creditor],
  invoices,
  fileFormats: [fileFormat],
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

type Context = Parameters<typeof typing>[0] & { debtorId: string; ticked: readonly string[]; format: unknown };

/** The user's choices: a known debtor or none, one invoice or none, fields right or wrong. */
const choices = {
  events: (context: Context) => [
    { type: 'debtor.choose' as const, debtorId: debtor.debtorId },
    { type: 'invoices.tick' as const, ids: ['invoice-1'] },
    { type: 'format.choose' as const, fileFormatId: fileFormat.fileFormatId },
    { type: 'format.choose' as const, fileFormatId: 'unknown' },
    ...typing(context),
  ],
  reads: (context: Context) => [
    context.debtorId !== '',
    context.ticked.length,
    context.format !== null,
    errorsIn(context),
  ],
};
const pay = { 'a batch': { batchId: 'batch-1' } };

export const electronicPaymentModel = modelOf({
  machine: electronicPaymentMachine,
  answers: { loadMaterial: { ...gatesOfBoth, material: materialFor(ready) }, pay },
  ...choices,
});

export const filePaymentModel = modelOf({
  machine: filePaymentMachine,
  answers: {
    loadMaterial: {
      ...gatesOfBoth,
      'no templates': materialFor(withFacts(ready, { fileFormats: 0 })),
      material: materialFor(ready),
    },
    pay,
  },
  ...choices,
});
