/** Mistake: takes a webhook with the status of an earlier state for an error. */
import { isFresh, isSigned, payInvoices } from './client.mjs';

const order = ['Received', 'Processing', 'Completed'];
const latest = {};

await payInvoices({
  answerTo(headers, body) {
    if (!isSigned(headers, body) || !isFresh(headers)) return 401;
    const { resource, data } = JSON.parse(body);
    const position = order.indexOf(data?.status);
    const isLate = position !== -1 && position < latest[resource.id];
    latest[resource.id] = Math.max(latest[resource.id] ?? 0, position);
    return isLate ? 409 : 204;
  },
});
