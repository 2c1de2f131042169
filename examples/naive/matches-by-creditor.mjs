/** Finds the payment of an invoice by its creditor, who may have several. */
import { payInvoices } from './client.mjs';

await payInvoices({
  paymentOf: (payments, { creditorId }) => payments.find(({ creditor }) => creditor.creditorId === creditorId),
});
