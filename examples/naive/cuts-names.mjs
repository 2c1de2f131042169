/** Mistake: cuts the creditors' names at 35 characters, the width of a field of its own. */
import { payInvoices } from './client.mjs';

await payInvoices({
  batch: ({ payments, ...batch }) => ({
    ...batch,
    payments: payments.map(({ creditor, ...payment }) => ({
      ...payment,
      creditor: { ...creditor, name: creditor.name.slice(0, 35) },
    })),
  }),
});
