/** Pays the whole batch anew when one of its payments has failed. */
import { payInvoices } from './client.mjs';

await payInvoices({ paysAnew: (outcomes) => outcomes.includes('failed') });
