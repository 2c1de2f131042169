/**
 * Pays from a queue in a folder: one job for each invoice, which three workers take in turn. A job belongs to the process
 * whose number is in its claim, until that process has ended.
 */
import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bodyFor, call, env, outcomeOf, pause } from './client.mjs';

const queue = join(env('STATE'), 'queue');
const place = (id, part) => join(queue, `${encodeURIComponent(id)}.${part}`);
const until = Date.now() + 20_000;

async function write(path, value) {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify(value), { flush: true });
  await rename(draft, path);
}

/** Creates a file with its content in one step; returns whether it is new. */
async function create(path, value) {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify(value), { flush: true });
  const isNew = await link(draft, path).then(
    () => true,
    () => false,
  );
  await unlink(draft);
  return isNew;
}

const read = async (path) => JSON.parse(await readFile(path, 'utf8'));
const stateOf = (id) => read(place(id, 'state')).catch(() => ({}));

function isAlive(process_) {
  try {
    process.kill(process_, 0);
    return true;
  } catch {
    return false;
  }
}

/** Claims a job, also one whose process has ended. */
async function claim(id) {
  if (await create(place(id, 'claim'), process.pid)) return true;
  const owner = await read(place(id, 'claim')).catch(() => undefined);
  if (owner === undefined || isAlive(owner)) return false;
  await unlink(place(id, 'claim')).catch(() => undefined);
  return claim(id);
}

/** Sends a job, with the same key and body each time, and reads its batch until it has ended. */
async function work(id) {
  let state = await stateOf(id);
  if (state.batchId === undefined && state.outcome === undefined) {
    const { key, body } = await read(place(id, 'job'));
    const headers = { 'x-idempotency-key': key, 'content-type': 'application/json' };
    const { status, value } = await call('POST', '/v3/batchpayments', headers, body);
    if (value?.data?.batchId) state = { batchId: value.data.batchId };
    else if ([400, 403, 404, 422].includes(status)) state = { outcome: 'failed' };
    else return;
    await write(place(id, 'state'), state);
  }
  for (let ms = 1100; state.outcome === undefined && Date.now() < until; ms *= 1.4) {
    await pause(ms);
    const { value } = await call('GET', `/v3/batchpayments/${state.batchId}`, {});
    state.outcome = outcomeOf(value?.data?.payments?.[0]?.status);
  }
  await write(place(id, 'state'), state);
}

await mkdir(queue, { recursive: true });
const { invoices, file } = await read(env('INVOICES'));
for (const invoice of invoices)
  await create(place(invoice.id, 'job'), { key: randomUUID(), body: bodyFor(invoice, file) });

const jobs = invoices.map(({ id }) => id);
async function worker() {
  for (let id = jobs.shift(); id !== undefined; id = jobs.shift()) {
    if ((await stateOf(id)).outcome !== undefined || !(await claim(id))) continue;
    await work(id).finally(() => unlink(place(id, 'claim')));
  }
}
await Promise.all([worker(), worker(), worker()]);

const said = await Promise.all(
  invoices.map(async ({ id }) => ({ id, outcome: (await stateOf(id)).outcome ?? 'unknown' })),
);
await write(env('RESULT'), { invoices: said });
process.exitCode = said.every(({ outcome }) => outcome === 'paid') ? 0 : 1;
