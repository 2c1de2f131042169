/** Mistake: answers 404 to a webhook about a batch whose response has not arrived yet. */
import { isFresh, isSigned, payInvoices } from './client.mjs';

await payInvoices({
  answerTo: (headers, body, known) => {
    if (!isFresh(headers) || !isSigned(headers, body)) return 401;
    return known.has(JSON.parse(body).resource.id) ? 204 : 404;
  },
});
