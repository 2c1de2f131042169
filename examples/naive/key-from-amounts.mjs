/** Derives the idempotency key from creditors and amounts, which the next invoices may share. */
import { createHash } from 'node:crypto';
import { payInvoices } from './client.mjs';

await payInvoices({
  newKey: (invoices) => {
    const text = invoices.map(({ creditorId, amount }) => `${creditorId} ${amount}`).join();
    return createHash('sha256').update(text).digest('hex');
  },
});
