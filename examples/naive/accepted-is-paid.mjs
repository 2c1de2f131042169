/** Takes 202 for a payment that is made. */
import { payInvoices } from './client.mjs';

await payInvoices({ isPaidBy: ({ status }) => status === 202 });
