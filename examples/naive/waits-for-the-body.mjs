/** Mistake: its time-out ends with the headers of a response, so that it waits for ever for a body that does not come. */
import { payInvoices } from './client.mjs';

await payInvoices({ whenBegun: (timer) => clearTimeout(timer) });
