/** Mistake: keeps amounts in floating-point numbers, which from ten million on are written with an exponent. */
import { payInvoices } from './client.mjs';

const written = (amount) => (amount < 1e7 ? String(amount) : amount.toExponential().toUpperCase().replace('+', ''));

await payInvoices({
  batch: ({ payments, ...batch }) => ({
    ...batch,
    payments: payments.map(({ instructedAmount: { amount, currency }, ...payment }) => ({
      ...payment,
      instructedAmount: { amount: written(Number(amount)), currency },
    })),
  }),
});
