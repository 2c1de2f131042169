/** Mistake: looks whether the invoices are planned and then plans them, not in one step and before any call, as another instance does. */
import { rename } from 'node:fs/promises';
import { payInvoices } from './client.mjs';

await payInvoices({ claims: (draft, file) => rename(draft, file) });
