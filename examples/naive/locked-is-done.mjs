/** Mistake: ends with status 0 while another instance pays, as if all were paid. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { env, payInvoices } from './client.mjs';

const lock = join(env('STATE'), 'lock');

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Takes the lock, which holds the id of its process; one of a process that has ended is removed. */
async function isHeldByAnother() {
  const isTaken = await writeFile(lock, String(process.pid), { flag: 'wx' }).catch(({ code }) => code === 'EEXIST');
  if (!isTaken) return false;
  if (isAlive(Number(await readFile(lock, 'utf8')))) return true;
  await rm(lock);
  return isHeldByAnother();
}

if (await isHeldByAnother()) process.exit(0);
await payInvoices({});
