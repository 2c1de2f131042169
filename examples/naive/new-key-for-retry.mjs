/** Mistake: makes a new idempotency key for each attempt. */
import { randomUUID } from 'node:crypto';
import { payInvoices } from './client.mjs';

await payInvoices({ keyOf: () => randomUUID() });
