/** Mistake: takes each status that it does not know for a failure. */
import { payInvoices } from './client.mjs';

const known = { Completed: 'paid', PaymentFileAvailable: 'paid', Received: 'unknown', Processing: 'unknown' };

await payInvoices({ outcomeOf: (status) => known[status] ?? 'failed' });
