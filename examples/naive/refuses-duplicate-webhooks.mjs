/** Mistake: takes a webhook that comes again for an error. */
import { isFresh, isSigned, payInvoices } from './client.mjs';

const seen = new Set();

await payInvoices({
  answerTo(headers, body) {
    if (!isSigned(headers, body) || !isFresh(headers)) return 401;
    const isKnown = seen.has(headers['webhook-id']);
    seen.add(headers['webhook-id']);
    return isKnown ? 409 : 204;
  },
});
