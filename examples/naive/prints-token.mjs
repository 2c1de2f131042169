/** Mistake: prints the headers of its calls, with the token, where each log keeps them. */
import { payInvoices } from './client.mjs';

const { fetch } = globalThis;
globalThis.fetch = (url, options) => {
  console.error(`${options.method} ${url} ${JSON.stringify(options.headers)}`);
  return fetch(url, options);
};

await payInvoices({});
