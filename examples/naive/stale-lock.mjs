/** Takes a lock that nobody removes when the program is killed. */
import { unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { env, payInvoices } from './client.mjs';

const lock = join(env('STATE'), 'lock');

await payInvoices({
  isLocked: () =>
    writeFile(lock, '', { flag: 'wx' }).then(
      () => false,
      () => true,
    ),
  outcomeOf: (status) => {
    const outcome = { Completed: 'paid', PaymentFileAvailable: 'paid', Failed: 'failed', Rejected: 'failed' }[status];
    if (outcome) void unlink(lock).catch(() => undefined);
    return outcome ?? 'unknown';
  },
});
