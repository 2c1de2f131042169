/** Mistake: refuses webhooks of a type that it does not know. */
import { isFresh, isSigned, payInvoices } from './client.mjs';

const known = ['batchUpdated', 'subscriptionUpdated', 'creditorputs', 'debtoraccountputs'];
const isKnown = (body) => known.includes(JSON.parse(body).type);

await payInvoices({
  answerTo: (headers, body) => (isSigned(headers, body) && isFresh(headers) ? (isKnown(body) ? 204 : 422) : 401),
});
