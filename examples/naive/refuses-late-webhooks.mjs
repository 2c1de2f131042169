/** Mistake: takes a webhook with the status of an earlier state for an error. */
import { isFresh, isSigned, payInvoices } from './client.mjs';

const order = ['Received', 'Processing', 'Completed'];
let latest = 0;

await payInvoices({
  answerTo(headers, body) {
    if (!isSigned(headers, body) || !isFresh(headers)) return 401;
    const position = order.indexOf(JSON.parse(body).data?.status);
    const isLate = position !== -1 && position < latest;
    latest = Math.max(latest, position);
    return isLate ? 409 : 204;
  },
});
