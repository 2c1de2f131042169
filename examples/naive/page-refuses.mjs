/** Mistake: takes each 4xx for a refusal, also the page of a proxy, which knows nothing of the payments. */
import { payInvoices } from './client.mjs';

await payInvoices({ isResponse: (text, status) => status >= 400 || text.startsWith('{') });
