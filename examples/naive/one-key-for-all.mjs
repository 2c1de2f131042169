/** Mistake: takes company and day for the idempotency key, which two batches of a day then share. */
import { env, payInvoices } from './client.mjs';

await payInvoices({ newKey: () => `${env('COMPANY_ID')}-${new Date().toISOString().slice(0, 10)}` });
