/** Mistake: pays each amount in the currency that all invoices had until now. */
import { payInvoices } from './client.mjs';

await payInvoices({
  batch: ({ payments, ...batch }) => ({
    ...batch,
    payments: payments.map(({ instructedAmount: { amount }, ...payment }) => ({
      ...payment,
      instructedAmount: { amount, currency: 'GBP' },
    })),
  }),
});
