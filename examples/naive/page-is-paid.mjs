/** Goes by the status alone: takes a proxy's page with 201 for a payment that is made. */
import { payInvoices } from './client.mjs';

await payInvoices({
  isResponse: (text, status) => (status < 300 ? text !== '' : text.startsWith('{')),
  isPaidBy: ({ status, text }) => status === 201 && !text.startsWith('{'),
});
