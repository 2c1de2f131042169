/** Mistake: checks the signature of webhooks, but not how old they are. */
import { isSigned, payInvoices } from './client.mjs';

await payInvoices({ answerTo: (headers, body) => (isSigned(headers, body) ? 204 : 401) });
