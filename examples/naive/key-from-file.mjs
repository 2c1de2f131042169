/** Mistake: makes key and body from all invoices of the file, so that one invoice more gives those already paid another key. */
import { createHash } from 'node:crypto';
import { payInvoices } from './client.mjs';

const hash = (value) => createHash('sha256').update(JSON.stringify(value)).digest('hex');

await payInvoices({
  remembers: false,
  newKey: hash,
  batch: (batch) => ({ ...batch, externalId: hash(batch.payments) }),
});
