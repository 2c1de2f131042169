/** Goes by the status alone: takes a batch for paid whose 201 breaks off or has no body. */
import { payInvoices } from './client.mjs';

await payInvoices({
  whenCut: () => '',
  isResponse: (text) => text === '' || text.startsWith('{'),
  isPaidBy: ({ text }) => text === '',
});
