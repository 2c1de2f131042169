/** Mistake: takes any response with 200 for “paid before”, also one of which a half is missing. */
import { payInvoices } from './client.mjs';

await payInvoices({ isResponse: (text) => text.startsWith('{'), isPaidBy: ({ status }) => status === 200 });
