/** Mistake: takes a payment that came back for one that failed, and retries it under another key. */
import { payInvoices } from './client.mjs';

const ends = { Completed: 'paid', PaymentFileAvailable: 'paid', Failed: 'failed', Rejected: 'failed' };
let isBack = false;
await payInvoices({
  chosen: (left) => left.slice(0, 1),
  pollPause: 2500,
  outcomeOf(status) {
    isBack = status === 'Returned';
    return isBack ? 'failed' : (ends[status] ?? 'unknown');
  },
  paysAnew: (outcomes) => isBack && outcomes.includes('failed'),
});
