/** Takes a batch for failed that cannot be read. */
import { payInvoices } from './client.mjs';

await payInvoices({ failsAt: (status) => status >= 500, isRetried: ({ status }) => status === 0 || status === 429 });
