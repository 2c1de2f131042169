/**
 * Pays the invoices of a file through PayPal's Payouts API, each once, and writes what became of them: an integration of
 * another service, which `verify --against mapping.json` judges (docs/verify.md). Needs Node 20 or newer and no packages.
 *
 * As in ../integration-node, key and body of a payout are stored before the first attempt, in a file that only one
 * process can create, and each attempt sends the same bytes under the same key.
 */
import { randomUUID } from 'node:crypto';
import { link, readFile, readdir, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const { PAYPAL_URL, PAYPAL_CLIENT_ID, PAYPAL_CLIENT_SECRET } = process.env;
const { PAYMENTS_INVOICES, PAYMENTS_STATE, PAYMENTS_RESULT, PAYMENTS_TIMEOUT = '30' } = process.env;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const readJson = async (file) => JSON.parse(await readFile(file, 'utf8'));
const attemptsAtMost = 5;
/** How often a payout is read until it is reported as unknown. */
const readsAtMost = 20;

/** Writes a value beside a file; returns the path. */
async function writeDraft(file, value) {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify(value), { flush: true });
  return draft;
}

/** Makes one call. Returns null if there is no complete response of the service. */
async function call(method, path, headers, body) {
  try {
    const response = await fetch(PAYPAL_URL + path, {
      method,
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(Number(PAYMENTS_TIMEOUT) * 1000),
    });
    const text = await response.text();
    if (response.status >= 300 && response.status < 400) return null;
    const asked = response.headers.get('retry-after') ?? '';
    const until = Date.parse(asked) - (Date.parse(response.headers.get('date') ?? '') || Date.now());
    const wait = /^\d+$/.test(asked) ? Number(asked) * 1000 : until || 0;
    return {
      status: response.status,
      value: response.status < 300 ? JSON.parse(text) : text,
      wait: Math.min(wait, 60_000),
    };
  } catch {
    return null;
  }
}

let token = '';

/** Returns the token in use; '' if there is none. */
async function tokenInUse() {
  if (token !== '') return token;
  const credentials = Buffer.from(`${PAYPAL_CLIENT_ID}:${PAYPAL_CLIENT_SECRET}`).toString('base64');
  const response = await call(
    'POST',
    '/v1/oauth2/token',
    { Authorization: `Basic ${credentials}`, 'Content-Type': 'application/x-www-form-urlencoded' },
    'grant_type=client_credentials',
  );
  token = response?.status === 200 ? response.value.access_token : '';
  return token;
}

/** Repeats a call until there is a response that says what happened; null if no attempt had one. */
async function answered(method, path, more = {}, body = undefined) {
  for (let attempt = 0; attempt < attemptsAtMost; attempt += 1) {
    const bearer = await tokenInUse();
    const headers = { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json', ...more };
    const response = bearer === '' ? null : await call(method, path, headers, body);
    if (response?.status === 401 && attempt === 0) {
      token = '';
      continue;
    }
    if (response && response.status < 500 && response.status !== 429) return response;
    await pause(Math.max(500 * 2 ** attempt * (1 + Math.random() / 4), response?.wait ?? 0));
  }
  return null;
}

/** Creates a file with its content in one step, unless another process has created it. */
async function createJson(file, value) {
  const draft = await writeDraft(file, value);
  await link(draft, file).catch((error) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await unlink(draft);
}

/** Returns the stored payouts; those of invoices that none covers are stored under the next number, by one process. */
async function payoutsFor(invoices) {
  for (;;) {
    const names = (await readdir(PAYMENTS_STATE)).filter((name) => /^payout-\d+\.json$/.test(name));
    const payouts = await Promise.all(names.map((name) => readJson(join(PAYMENTS_STATE, name))));
    const left = invoices.filter(({ reference }) => !payouts.some(({ references }) => references.includes(reference)));
    if (left.length === 0) return payouts;
    const body = JSON.stringify({
      sender_batch_header: { sender_batch_id: randomUUID(), email_subject: 'Your invoice is paid' },
      items: left.map(({ creditorId, amount, currency, reference }) => ({
        recipient_type: 'EMAIL',
        receiver: creditorId,
        amount: { value: amount, currency },
        sender_item_id: reference,
      })),
    });
    const references = left.map(({ reference }) => reference);
    await createJson(join(PAYMENTS_STATE, `payout-${names.length + 1}.json`), { key: randomUUID(), body, references });
  }
}

const outcomes = { SUCCESS: 'paid' };
for (const status of ['FAILED', 'DENIED', 'RETURNED', 'REFUNDED', 'REVERSED', 'BLOCKED']) outcomes[status] = 'failed';

/** Reads a payout until all its items have ended; returns their outcomes by reference. */
async function follow(id) {
  let found = {};
  for (let read = 0; read < readsAtMost; read += 1) {
    const response = await answered('GET', `/v1/payments/payouts/${id}`);
    const items = response?.status === 200 ? (response.value.items ?? []) : [];
    for (const { payout_item, transaction_status } of items)
      found = { ...found, [payout_item.sender_item_id]: outcomes[transaction_status] ?? 'unknown' };
    if (items.length > 0 && items.every(({ transaction_status }) => outcomes[transaction_status])) break;
    await pause(Math.min(1000 * 1.5 ** read, 15_000));
  }
  return found;
}

/** Sends a stored payout, also one that was sent before; returns the outcomes of its invoices by reference. */
async function pay({ key, body, references }) {
  const response = await answered('POST', '/v1/payments/payouts', { 'PayPal-Request-Id': key }, body);
  if (!response || [401, 403, 409].includes(response.status)) return {};
  if (response.status >= 400) return Object.fromEntries(references.map((reference) => [reference, 'failed']));
  return follow(response.value.batch_header.payout_batch_id);
}

const { invoices } = await readJson(PAYMENTS_INVOICES);
let found = {};
for (const payout of await payoutsFor(invoices))
  if (invoices.some(({ reference }) => payout.references.includes(reference)))
    found = { ...found, ...(await pay(payout)) };
const result = invoices.map(({ id, reference }) => ({ id, outcome: found[reference] ?? 'unknown' }));
await rename(await writeDraft(PAYMENTS_RESULT, { invoices: result }), PAYMENTS_RESULT);
process.exitCode = result.every(({ outcome }) => outcome === 'paid') ? 0 : 1;
