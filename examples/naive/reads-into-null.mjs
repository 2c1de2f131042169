/** Mistake: takes an optional member for present if it is not absent, and reads into null. */
import { payInvoices } from './client.mjs';

await payInvoices({
  parse(text) {
    const body = JSON.parse(text);
    if ('error' in body) for (const { message } of body.error.detail) console.error(message);
    return body;
  },
});
