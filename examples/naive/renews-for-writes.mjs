/** Mistake: asks for a new token where a payment is refused with 401, and takes that of a reading for a reading that failed. */
import { payInvoices } from './client.mjs';

await payInvoices({ renewsFor: (method) => method === 'POST' });
