/** Mistake: takes an accepted batch for a paid one. */
import { payInvoices } from './client.mjs';

await payInvoices({ readsBatch: false });
