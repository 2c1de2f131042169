/** Mistake: pays the invoices one by one, and pays nothing any more once the outcome of one is unknown. */
import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { env, payInvoices } from './client.mjs';

const stopped = join(env('STATE'), 'stopped');

await payInvoices({
  chosen: (left) => left.slice(0, 1),
  isLocked: () =>
    access(stopped).then(
      () => true,
      () => false,
    ),
  async goesOn(result) {
    if (result.includes('unknown')) await writeFile(stopped, '');
    return !result.includes('unknown');
  },
});
