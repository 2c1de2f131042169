/** Mistake: stores the key of a batch, and builds its body anew in each run. */
import { randomUUID } from 'node:crypto';
import { payInvoices } from './client.mjs';

const externalId = randomUUID();

await payInvoices({
  bodyOf({ body }) {
    const { data } = JSON.parse(body);
    return JSON.stringify({ data: { ...data, externalId } });
  },
});
