/** Mistake: pays with its own id of each invoice in place of the reference, by which the creditor knows the payment. */
import { readFileSync } from 'node:fs';
import { env, payInvoices } from './client.mjs';

const { invoices } = JSON.parse(readFileSync(env('INVOICES'), 'utf8'));
const idOf = (reference) => invoices.find((each) => each.reference === reference)?.id;

await payInvoices({
  batch: ({ payments, ...batch }) => ({
    ...batch,
    payments: payments.map(({ remittanceInformation: { reference }, ...payment }) => ({
      ...payment,
      remittanceInformation: { reference: idOf(reference) },
    })),
  }),
});
