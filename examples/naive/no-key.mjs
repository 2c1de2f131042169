/** Mistake: sends no idempotency key. */
import { payInvoices } from './client.mjs';

await payInvoices({ keyOf: () => '' });
