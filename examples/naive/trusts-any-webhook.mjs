/** Mistake: does not check the signature of webhooks. */
import { payInvoices } from './client.mjs';

await payInvoices({ answerTo: () => 204 });
