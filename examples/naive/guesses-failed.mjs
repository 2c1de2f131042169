/** Mistake: says failed when it received no response. */
import { payInvoices } from './client.mjs';

await payInvoices({ withoutResponse: 'failed' });
