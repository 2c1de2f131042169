/** Follows redirects with the keys of the API. */
import { payInvoices } from './client.mjs';

await payInvoices({ redirect: 'follow' });
