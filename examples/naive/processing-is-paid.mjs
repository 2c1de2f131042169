/** Takes a payment in progress for paid. */
import { payInvoices } from './client.mjs';

await payInvoices({
  outcomeOf: (status) =>
    ({ Completed: 'paid', PaymentFileAvailable: 'paid', Processing: 'paid', Failed: 'failed', Rejected: 'failed' })[
      status
    ] ?? 'unknown',
});
