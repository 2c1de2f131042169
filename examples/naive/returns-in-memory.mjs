/** Mistake: answers the webhook that names a payment which came back before it is stored, which it is once the program ends. */
import { writeFileSync } from 'node:fs';
import { isFresh, isSigned, payInvoices } from './client.mjs';

await payInvoices({
  answerTo: (headers, body) => (isFresh(headers) && isSigned(headers, body) ? 204 : 401),
  storesReturns: (file, ids) => void process.once('exit', () => writeFileSync(file, ids)),
});
