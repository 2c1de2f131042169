/** Verifies the signature over a body that it has parsed and written again. */
import { isFresh, isSigned, payInvoices } from './client.mjs';

await payInvoices({
  answerTo: (headers, body) => (isFresh(headers) && isSigned(headers, JSON.stringify(JSON.parse(body))) ? 204 : 401),
});
