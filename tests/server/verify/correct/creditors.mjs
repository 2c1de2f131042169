/**
 * One batch for each creditor, under a key and a body that are stored first. Each is sent once in a run: what has no
 * response is left to the next run, which sends the same again. Writes no result file: status 0 says that all are paid.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, env, outcomeOf, paymentOf, batchOf, pause } from './client.mjs';

const place = (name) => join(env('STATE'), name);
const stored = (name) => (existsSync(place(name)) ? JSON.parse(readFileSync(place(name), 'utf8')) : undefined);

/** Stores a value once; what another instance has stored counts. */
function storeOnce(name, value) {
  const draft = place(`${name}.${randomUUID()}`);
  writeFileSync(draft, JSON.stringify(value), { flush: true });
  try {
    linkSync(draft, place(name));
  } catch {
    // It is there.
  }
  rmSync(draft);
  return stored(name);
}

const { invoices, file } = JSON.parse(readFileSync(env('INVOICES'), 'utf8'));
const left = invoices.filter(({ id }) => !stored(`invoice-${id}`));
for (const creditor of new Set(left.map(({ creditorId }) => creditorId))) {
  const own = left.filter(({ creditorId }) => creditorId === creditor);
  const body = batchOf(
    randomUUID(),
    own.map((invoice) => paymentOf(invoice, file)),
    file,
  );
  // The first invoice decides which of two instances has planned them.
  const { plan } = storeOnce(`invoice-${own[0].id}`, { plan: { key: randomUUID(), body } });
  for (const { id } of own.slice(1)) storeOnce(`invoice-${id}`, { plan });
}

const plans = new Map(invoices.map(({ id }) => [stored(`invoice-${id}`).plan.key, stored(`invoice-${id}`).plan]));
const open = [];
let isAllPaid = true;
for (const { key, body } of plans.values()) {
  const known = stored(`outcome-${key}`);
  if (known) {
    isAllPaid &&= known.outcome === 'paid';
    continue;
  }
  const headers = { 'x-idempotency-key': key, 'content-type': 'application/json' };
  const { status, value } = await call('POST', '/v3/batchpayments', headers, body, { isRepeated: false });
  if (value?.data?.batchId) open.push({ key, batchId: value.data.batchId });
  else {
    isAllPaid = false;
    if ([400, 403, 404, 422].includes(status)) storeOnce(`outcome-${key}`, { outcome: 'failed' });
  }
}

const until = Date.now() + 15_000;
for (const { key, batchId } of open) {
  let outcomes;
  for (let ms = 1100; !outcomes && Date.now() < until; ms *= 1.4) {
    await pause(ms);
    const { value } = await call('GET', `/v3/batchpayments/${batchId}`, {});
    const found = value?.data?.payments?.map(({ status }) => outcomeOf(status));
    if (found?.every((each) => each)) outcomes = found;
  }
  const outcome = outcomes?.every((each) => each === 'paid') ? 'paid' : 'failed';
  if (outcomes) storeOnce(`outcome-${key}`, { outcome });
  isAllPaid &&= outcomes !== undefined && outcome === 'paid';
}
process.exitCode = isAllPaid ? 0 : 1;
