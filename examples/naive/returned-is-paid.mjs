/** Mistake: takes a payment that came back for paid, because it was. */
import { payInvoices } from './client.mjs';

const ends = {
  Completed: 'paid',
  PaymentFileAvailable: 'paid',
  Returned: 'paid',
  Failed: 'failed',
  Rejected: 'failed',
};
await payInvoices({ outcomeOf: (status) => ends[status] ?? 'unknown' });
