/** Mistake: polls the batch five times a second. */
import { payInvoices } from './client.mjs';

await payInvoices({ pollPause: 200 });
