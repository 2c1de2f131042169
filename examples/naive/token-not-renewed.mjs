/** Mistake: goes on with a token that the service has refused. */
import { payInvoices } from './client.mjs';

await payInvoices({ renewsFor: () => false });
