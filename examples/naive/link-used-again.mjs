/** Mistake: tries an expired link to a payment file again instead of asking for a new one. */
import { payInvoices } from './client.mjs';

await payInvoices({ asksForLinkAgain: false });
