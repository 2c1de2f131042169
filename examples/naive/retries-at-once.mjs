/** Repeats a call without any pause. */
import { payInvoices } from './client.mjs';

await payInvoices({ pauseAfter: ({ retryAfter }) => retryAfter * 1000 });
