/** Mistake: retries at constant, short intervals while the service is overloaded. */
import { payInvoices } from './client.mjs';

await payInvoices({ pauseAfter: ({ retryAfter }) => Math.max(200, retryAfter * 1000) });
