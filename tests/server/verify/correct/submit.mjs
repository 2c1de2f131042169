/**
 * Pays in two steps, as a scheduled job does: a run sends what is stored and not answered, and ends without waiting; what it
 * has sent before, it reads once. So it says unknown of each new batch, and the next run says what became of it.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bodyFor, call, env, outcomeOf } from './client.mjs';

const place = (name) => join(env('STATE'), name);

function store(name, value, isNew) {
  const draft = place(`${name}.${randomUUID()}`);
  writeFileSync(draft, JSON.stringify(value), { flush: true });
  if (!isNew) return renameSync(draft, place(name));
  try {
    linkSync(draft, place(name));
  } catch {
    // Another instance has stored its own, which counts.
  }
  rmSync(draft);
}
const stored = (name) => (existsSync(place(name)) ? JSON.parse(readFileSync(place(name), 'utf8')) : undefined);

const { invoices, file } = JSON.parse(readFileSync(env('INVOICES'), 'utf8'));
const outcomes = {};
for (const invoice of invoices) {
  const { id } = invoice;
  store(`payment-${id}`, { key: randomUUID(), body: bodyFor(invoice, file) }, true);
  const { key, body } = stored(`payment-${id}`);
  const known = stored(`batch-${id}`);
  if (known?.refused) outcomes[id] = 'failed';
  else if (known) {
    const { value } = await call('GET', `/v3/batchpayments/${known.batchId}`, {});
    outcomes[id] = outcomeOf(value?.data?.payments?.[0]?.status);
  } else {
    const headers = { 'x-idempotency-key': key, 'content-type': 'application/json' };
    const { status, value } = await call('POST', '/v3/batchpayments', headers, body);
    if (value?.data?.batchId) store(`batch-${id}`, { batchId: value.data.batchId });
    else if ([400, 403, 404, 422].includes(status)) {
      store(`batch-${id}`, { refused: status });
      outcomes[id] = 'failed';
    }
  }
}
const said = invoices.map(({ id }) => ({ id, outcome: outcomes[id] ?? 'unknown' }));
writeFileSync(`${env('RESULT')}.draft`, JSON.stringify({ invoices: said }));
renameSync(`${env('RESULT')}.draft`, env('RESULT'));
process.exitCode = said.every(({ outcome }) => outcome === 'paid') ? 0 : 1;
