/** Mistake: looks whether the invoices are planned and then plans them, not in one step: another instance does the same meanwhile. */
import { rename } from 'node:fs/promises';
import { payInvoices } from './client.mjs';

await payInvoices({ plansWithToken: true, claims: (draft, file) => rename(draft, file) });
