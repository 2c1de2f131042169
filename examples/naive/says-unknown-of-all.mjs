/** Mistake: says unknown of every invoice, whatever it has read. */
import { payInvoices } from './client.mjs';

await payInvoices({ saidOf: () => 'unknown' });
