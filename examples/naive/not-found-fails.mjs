/** Takes a batch for failed that a reading does not find. */
import { payInvoices } from './client.mjs';

await payInvoices({ failsAt: (status) => status === 404 });
