/** Mistake: asks for a new token before each call. */
import { payInvoices } from './client.mjs';

await payInvoices({ keepsToken: false });
