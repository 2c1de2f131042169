/** Mistake: says paid when it received no response. */
import { payInvoices } from './client.mjs';

await payInvoices({ withoutResponse: 'paid' });
