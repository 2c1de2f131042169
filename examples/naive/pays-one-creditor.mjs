/** Mistake: pays all invoices of a batch to the creditor of the first one. */
import { payInvoices } from './client.mjs';

await payInvoices({
  batch: ({ payments, ...batch }) => ({
    ...batch,
    payments: payments.map((payment) => ({ ...payment, creditor: payments[0].creditor })),
  }),
});
