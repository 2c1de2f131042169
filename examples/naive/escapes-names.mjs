/** Mistake: escapes the creditors' names as for a page, which the service takes for their names. */
import { payInvoices } from './client.mjs';

const escaped = (text) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

await payInvoices({
  batch: ({ payments, ...batch }) => ({
    ...batch,
    payments: payments.map(({ creditor, ...payment }) => ({
      ...payment,
      creditor: { ...creditor, name: escaped(creditor.name) },
    })),
  }),
});
