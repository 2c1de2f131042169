/** Mistake: refuses webhooks of a type that it does not know. */
import { isFresh, isSigned, payInvoices } from './client.mjs';

const known = /"type":"(batchUpdated|subscriptionUpdated|creditorputs|debtoraccountputs)"/;

await payInvoices({
  answerTo: (headers, body) => (isSigned(headers, body) && isFresh(headers) ? (known.test(body) ? 204 : 422) : 401),
});
