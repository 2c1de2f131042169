/** Mistake: pays in batches of two, and forgets the last one if it is not full. */
import { payInvoices } from './client.mjs';

await payInvoices({ chosen: (left) => (left.length < 2 ? [] : left.slice(0, 2)) });
