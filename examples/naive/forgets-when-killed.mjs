/** Mistake: stores nothing before it pays, so it begins anew after a crash, and beside a second instance. */
import { payInvoices } from './client.mjs';

await payInvoices({ remembers: false });
