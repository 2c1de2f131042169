/** Mistake: pays an invoice again, by itself, once its payment has come back. */
import { payInvoices } from './client.mjs';

await payInvoices({
  chosen: (left) => left.slice(0, 1),
  pollPause: 2500,
  paysAnew: (outcomes) => outcomes.includes('returned'),
});
