/** Mistake: sends the API key in the address, where logs keep it. */
import { env, payInvoices } from './client.mjs';

await payInvoices({ address: (path) => `${path}?apiKey=${env('API_KEY')}` });
