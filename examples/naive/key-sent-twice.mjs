/** Mistake: adds the header to those of its client, which has set it already, so that both are sent as one value. */
import { payInvoices } from './client.mjs';

await payInvoices({ keyOf: ({ key }) => `${key}, ${key}` });
