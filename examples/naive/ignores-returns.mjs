/** Mistake: acknowledges the webhook that names a payment which came back, and believes the reading, in which every status stays. */
import { isFresh, isSigned, payInvoices } from './client.mjs';

await payInvoices({
  answerTo: (headers, body) => (isFresh(headers) && isSigned(headers, body) ? 204 : 401),
  heedsReturns: false,
});
