/** Mistake: keeps the key, but fills the body anew for each attempt. */
import { randomUUID } from 'node:crypto';
import { payInvoices } from './client.mjs';

await payInvoices({
  bodyOf({ body }) {
    const { data } = JSON.parse(body);
    return JSON.stringify({ data: { ...data, externalId: randomUUID() } });
  },
});
