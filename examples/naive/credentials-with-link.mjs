/** Sends its token with the link to the payment file. */
import { payInvoices } from './client.mjs';

await payInvoices({ linkHeaders: (jwt) => ({ authorization: `Bearer ${jwt}` }) });
