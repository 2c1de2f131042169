/** Mistake: refuses responses with members that it does not know. */
import { payInvoices } from './client.mjs';

await payInvoices({
  parse(text) {
    const body = JSON.parse(text);
    const unknown = Object.keys(body).find((name) => !['data', 'links', 'error'].includes(name));
    if (unknown) throw new Error(`Unexpected member ${unknown}`);
    return body;
  },
});
