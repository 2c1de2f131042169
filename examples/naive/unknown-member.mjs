/** Mistake: sends a member that is not documented, and expects an effect of it. */
import { payInvoices } from './client.mjs';

await payInvoices({ batch: (batch) => ({ ...batch, priority: 'High' }) });
