/** Mistake: repeats a call without a pause when its response is lost, as long as it has attempts. */
import { payInvoices } from './client.mjs';

await payInvoices({
  pauseAfter: ({ status, retryAfter }, attempt) => (status === 0 ? 0 : Math.max(400 * 2 ** attempt, retryAfter * 1000)),
});
