/**
 * Sends a batch for each invoice, and reads one when a webhook about it comes, before it answers the webhook; where none
 * comes for a while, it reads by itself. It ends with the reading that shows the last end: those webhooks stay unanswered.
 */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { bodyFor, call, env, outcomeOf, pause } from './client.mjs';

/** How long (ms) other work takes before a webhook is answered, and after how long without one a batch is read. */
const [working, silence] = [300, 4000];
const { invoices, file } = JSON.parse(readFileSync(env('INVOICES'), 'utf8'));

function isGenuine({ 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': given = '' }, body) {
  if (!(Math.abs(Date.now() / 1000 - Number(time)) <= 300)) return false;
  const secret = Buffer.from(env('WEBHOOK_SECRET').replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', secret).update(`${id}.${time}.`).update(body).digest();
  return given.split(' ').some((each) => {
    const found = Buffer.from(each.replace(/^v1,/, ''), 'base64');
    return found.length === expected.length && timingSafeEqual(found, expected);
  });
}

/** The key and the body of an invoice, stored by whichever instance comes first. */
function planFor(invoice) {
  const path = join(env('STATE'), `plan-${invoice.id}.json`);
  if (!existsSync(path)) {
    const draft = `${path}.${randomUUID()}`;
    writeFileSync(draft, JSON.stringify({ key: randomUUID(), body: bodyFor(invoice, file) }), { flush: true });
    try {
      linkSync(draft, path);
    } catch {
      // The other one was quicker.
    }
    rmSync(draft);
  }
  return JSON.parse(readFileSync(path, 'utf8'));
}

const outcomes = {};
/** By the id of a batch: its invoice, and when it was read last. */
const open = new Map();
const isDone = () => open.size === 0;

async function read(batchId) {
  const batch = open.get(batchId);
  if (!batch) return;
  batch.readAt = Date.now();
  const { value } = await call('GET', `/v3/batchpayments/${batchId}`, {});
  const payment = value?.data?.payments?.[0];
  // What a webhook has told to have come back need not be in any reading.
  const outcome = back.has(payment?.paymentId) ? 'returned' : outcomeOf(payment?.status);
  if (!outcome) return;
  outcomes[batch.id] = outcome;
  ended.set(batchId, batch.id);
  open.delete(batchId);
}

/** The ids of payments that came back by a webhook, by a file for each; and the invoices of those whose batches had ended. */
const returned = (paymentId) => join(env('STATE'), `returned-${paymentId}`);
const back = { has: (paymentId) => existsSync(returned(paymentId)) };
const ended = new Map();

const seen = new Set();
createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end();
  const { resource, data } = JSON.parse(body);
  const [id, batchId] = [request.headers['webhook-id'], resource?.id];
  for (const { paymentId, status } of data?.payments ?? []) {
    if (status !== 'Returned') continue;
    writeFileSync(returned(paymentId), '', { flush: true });
    if (ended.has(batchId)) outcomes[ended.get(batchId)] = 'returned';
  }
  if (open.has(batchId) && !seen.has(id)) {
    seen.add(id);
    await read(batchId);
    await pause(working);
  }
  response.writeHead(204).end();
}).listen(Number(env('WEBHOOK_PORT')), '127.0.0.1');

for (const invoice of invoices) {
  const { key, body } = planFor(invoice);
  const headers = { 'x-idempotency-key': key, 'content-type': 'application/json' };
  const { status, value } = await call('POST', '/v3/batchpayments', headers, body);
  if (value?.data?.batchId) open.set(value.data.batchId, { id: invoice.id, readAt: Date.now() });
  else if ([400, 403, 404, 422].includes(status)) outcomes[invoice.id] = 'failed';
}
for (const until = Date.now() + 18_000; !isDone() && Date.now() < until; await pause(20))
  for (const [batchId, { readAt }] of open) if (Date.now() - readAt > silence) await read(batchId);

const said = invoices.map(({ id }) => ({ id, outcome: outcomes[id] ?? 'unknown' }));
writeFileSync(`${env('RESULT')}.draft`, JSON.stringify({ invoices: said }));
renameSync(`${env('RESULT')}.draft`, env('RESULT'));
process.exit(said.every(({ outcome }) => outcome === 'paid') ? 0 : 1);
