/** Pays the batch anew when its status is not known. */
import { payInvoices } from './client.mjs';

await payInvoices({ paysAnew: (outcomes) => outcomes.includes('unknown') });
