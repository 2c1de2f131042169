/** Reads Retry-After only where it is a number. */
import { payInvoices } from './client.mjs';

await payInvoices({ retryAfterOf: ({ headers }) => Number(headers.get('retry-after')) || 0 });
