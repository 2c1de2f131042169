/** Mistake: marks a file of invoices as done before it pays them, and skips it when it is started again. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { env, payInvoices } from './client.mjs';

await payInvoices({
  isLocked: ({ invoices }) =>
    writeFile(join(env('STATE'), `done-${invoices[0].id}`), '', { flag: 'wx' }).then(
      () => false,
      () => true,
    ),
});
