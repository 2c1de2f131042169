/** Takes 409 for a used key, and pays the batch anew under another one. */
import { payInvoices } from './client.mjs';

await payInvoices({ beginsAnewAt: (status) => status === 409 });
