/** Refuses webhooks that have two signatures. */
import { isFresh, isSigned, payInvoices } from './client.mjs';

await payInvoices({
  answerTo: (headers, body) =>
    !headers['webhook-signature']?.includes(' ') && isFresh(headers) && isSigned(headers, body) ? 204 : 401,
});
