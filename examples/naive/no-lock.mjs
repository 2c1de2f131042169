/** Mistake: looks what is stored and then stores its own, between which a second instance does the same. */
import { rename } from 'node:fs/promises';
import { payInvoices, pause } from './client.mjs';

await payInvoices({
  async claims(draft, file) {
    await pause(1500);
    await rename(draft, file);
  },
});
