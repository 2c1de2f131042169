/** Mistake: knows two ends of a payment, so that a rejected one is never over. */
import { payInvoices } from './client.mjs';

const ends = { Completed: 'paid', PaymentFileAvailable: 'paid', Failed: 'failed' };
await payInvoices({ outcomeOf: (status) => ends[status] ?? 'unknown' });
