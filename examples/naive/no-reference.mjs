/** Mistake: pays without the invoices' references, so that no creditor knows what was paid. */
import { payInvoices } from './client.mjs';

await payInvoices({
  batch: (batch) => ({
    ...batch,
    payments: batch.payments.map(({ remittanceInformation: _, ...payment }) => payment),
  }),
});
