/** Mistake: retries after 429 without regard to Retry-After. */
import { payInvoices } from './client.mjs';

await payInvoices({ pauseAfter: (_, attempt) => 300 * 2 ** attempt });
