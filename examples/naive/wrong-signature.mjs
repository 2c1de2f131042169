/** Mistake: signs the address as it is, not in lower case. */
import { payInvoices } from './client.mjs';

await payInvoices({ signedAddress: (url) => url });
