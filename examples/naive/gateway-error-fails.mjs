/** Mistake: takes 500, 502 and 504 for a refusal, although the service may have created the batch. */
import { payInvoices } from './client.mjs';

await payInvoices({
  isRetried: ({ status }) => [0, 429, 503].includes(status),
  isRefusedBy: (status) => status >= 400 && ![401, 409, 429, 503].includes(status),
});
