/** Mistake: takes each error for a temporary one, also a violated rule. */
import { payInvoices } from './client.mjs';

await payInvoices({ isRetried: ({ status }) => status === 0 || status >= 400 });
