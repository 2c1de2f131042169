/** Pays with the next file all invoices of earlier files once more. */
import { payInvoices } from './client.mjs';

await payInvoices({ chosen: (left, attempts) => [...attempts.flatMap(({ invoices }) => invoices), ...left] });
