/** Mistake: takes the day for a nonce, so that the second call for a token has the nonce of the first one. */
import { payInvoices } from './client.mjs';

await payInvoices({ nonce: () => new Date().toISOString().slice(0, 10) });
