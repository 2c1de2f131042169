/** Mistake: sends as many bytes as the body has characters, so that one with letters outside ASCII is cut. */
import { payInvoices } from './client.mjs';

await payInvoices({ bodyOf: ({ body }) => Buffer.from(body).subarray(0, body.length) });
