/**
 * Pays the invoices of a file through the Payments Out Service, each once, and writes what became of them.
 * Needs Node 20 or newer and no packages. The environment variables are described in docs/verify.md.
 *
 * How it avoids a second payment: before the first attempt it stores the idempotency key and the body of a batch in a
 * file that only one process can create. Whoever finds the file, after a crash or in a second process, sends the same
 * bytes under the same key, which the service carries out once.
 */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { link, mkdir, readFile, readdir, rename, unlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';

const env = (name) => process.env[`PAYMENTS_${name}`] ?? '';
const address = env('URL');
const folder = env('STATE') || '.payments';
/** Time (ms) to wait for a response; calls behind open banking may take 100 seconds. */
const responseTime = Number(env('TIMEOUT') || 100) * 1000;
/** Time (ms) after which a batch that has not ended is reported as unknown. */
const patience = 120_000;
/** The service honours a key for two weeks, that of a file for ten minutes: later, a repetition could pay again. */
const keyLife = { electronic: 13 * 24 * 3600_000, file: 9 * 60_000 };
const attemptsAtMost = 5;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
/** The pause (ms) before the next attempt: doubled each time, with a random part, so that clients do not act in step. */
const backoff = (attempt) => 500 * 2 ** attempt * (1 + Math.random() / 4);

/** The longest pause (ms) that a response can ask for; a program that is run again later need not wait longer. */
const longestPause = 60_000;

/** The pause (ms) that Retry-After asks for, in seconds or until a time by the clock of the service. */
function pauseIn({ headers }) {
  const asked = headers.get('retry-after') ?? '';
  const now = Date.parse(headers.get('date') ?? '') || Date.now();
  const ms = /^\d+$/.test(asked) ? Number(asked) * 1000 : Date.parse(asked) - now;
  return Math.min(Math.max(ms || 0, 0), longestPause);
}

/**
 * Makes one call. Returns null if there is no complete response of the service: the outcome is then unknown. Redirects are
 * not followed, because another host would receive the keys.
 */
async function call(method, url, headers, body, isJson = true) {
  try {
    const signal = AbortSignal.timeout(responseTime);
    const response = await fetch(url, { method, headers, body, signal, redirect: 'manual' });
    const text = await response.text();
    if (response.status >= 300 && response.status < 400) return null;
    // A proxy's page is no response of the service, whatever its status, nor is one without a body. 429 only asks to wait.
    if (isJson && response.status < 500 && response.status !== 429) JSON.parse(text);
    return { status: response.status, retryAfter: pauseIn(response), text };
  } catch {
    return null;
  }
}

const encode = (text) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

/** The headers of a signed call without query and body (X-Signature: HMAC-SHA1 of method, address and nonce). */
function signed(method, url) {
  const nonce = randomUUID();
  const base = [method, encode(url.toLowerCase()), '', encode(nonce)].join('&');
  const signature = createHmac('sha1', `${env('SIGNING_KEY')}&null`)
    .update(base)
    .digest('base64');
  return { 'X-Nonce': nonce, 'X-Signature': signature };
}

let token = { jwt: '', until: 0 };

/** Returns the company's token: the one in memory until a minute before it expires. Returns '' if there is none. */
async function tokenInUse() {
  if (token.jwt && Date.now() < token.until - 60_000) return token.jwt;
  const url = `${address}/auth-v1/accessToken`;
  const response = await call('POST', url, {
    'X-Application': env('APPLICATION_ID'),
    'X-Organisation-Id': env('ORGANISATION_ID'),
    'X-Company-Id': env('COMPANY_ID'),
    ...signed('POST', url),
  });
  if (response?.status !== 200) return '';
  const { jwt } = JSON.parse(response.text);
  const { exp } = JSON.parse(Buffer.from(jwt.split('.')[1], 'base64url').toString());
  token = { jwt, until: exp * 1000 };
  return jwt;
}

/**
 * Calls until there is a final response: repeats the same call after no response, 5xx and 429 with growing pauses, and
 * once with a new token after 401. Returns null if no attempt had a response that says what happened.
 */
async function callUntilAnswered(method, path, more = {}, body = undefined) {
  let isRenewed = false;
  for (let attempt = 0; attempt < attemptsAtMost; attempt += 1) {
    const jwt = await tokenInUse();
    const response =
      jwt &&
      (await call(
        method,
        address + path,
        {
          'x-application': env('APPLICATION_ID'),
          'x-api-key': env('API_KEY'),
          'x-fapi-interaction-id': randomUUID(),
          Authorization: `Bearer ${jwt}`,
          ...more,
        },
        body,
      ));
    if (response?.status === 401 && !isRenewed) {
      token = { jwt: '', until: 0 };
      isRenewed = true;
      continue;
    }
    if (response && response.status < 500 && response.status !== 429) return response;
    await pause(Math.max(backoff(attempt), response?.retryAfter ?? 0));
  }
  return null;
}

const attemptFile = (number) => join(folder, `attempt-${number}.json`);
const outcomeFile = (number) => join(folder, `outcome-${number}.json`);
const readJson = async (file) => JSON.parse(await readFile(file, 'utf8'));

async function writeJson(file, value) {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify(value), { flush: true });
  await rename(draft, file);
}

/** Creates a file with its content in one step. Returns false if the file exists already. */
async function createJson(file, value) {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify(value), { flush: true });
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    await unlink(draft);
  }
}

/**
 * Stores an attempt to pay all invoices that no stored attempt covers. Attempts are numbered: of two processes only one
 * can create the next number, and the other one then finds the invoices covered.
 */
async function attemptsFor({ invoices, file }) {
  for (;;) {
    const count = (await readdir(folder)).filter((name) => /^attempt-\d+\.json$/.test(name)).length;
    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    const attempts = await Promise.all(
      numbers.map(async (number) => ({ number, ...(await readJson(attemptFile(number))) })),
    );
    const covered = new Set(attempts.flatMap(({ ids }) => ids));
    const left = invoices.filter(({ id }) => !covered.has(id));
    if (left.length === 0) return attempts;
    const body = JSON.stringify({ data: batchOf(left, file) });
    const attempt = { key: randomUUID(), body, ids: left.map(({ id }) => id), at: Date.now(), isFile: Boolean(file) };
    await createJson(attemptFile(count + 1), attempt);
  }
}

/** A batch that pays invoices: electronically, or in a bank file if the file of invoices has the members for one. */
const batchOf = (invoices, file) => ({
  externalId: randomUUID(),
  ...(file ?? { subscriptionId: env('SUBSCRIPTION_ID'), debtor: { debtorId: env('DEBTOR_ID') } }),
  requestedExecutionDateTime: `${new Date().toISOString().slice(0, 10)}T00:00:00Z`,
  payments: invoices.map(
    ({ creditorId, creditorName, amount, currency, reference, creditorAgent, creditorAccount }) => ({
      instructedAmount: { amount, currency },
      creditor: { creditorId, name: creditorName },
      remittanceInformation: { reference },
      ...(file && { creditorAgent, creditorAccount }),
    }),
  ),
});

const outcomes = { Completed: 'paid', PaymentFileAvailable: 'paid', Returned: 'returned' };
for (const status of ['Failed', 'Rejected', 'Cancelled']) outcomes[status] = 'failed';

/**
 * The ids of payments that came back by a webhook: the only news that no reading may show. They are never paid again by
 * themselves: a person decides that, and gives a file with an invoice that replaces the one that came back.
 */
const cameBack = new Set();
const returnsFile = join(folder, 'returns.json');
const outcomeOf = ({ paymentId, status }) => (cameBack.has(paymentId) ? 'returned' : (outcomes[status] ?? 'unknown'));

async function readBatch(batchId) {
  const response = await callUntilAnswered('GET', `/v3/batchpayments/${batchId}`);
  return response?.status === 200 ? JSON.parse(response.text) : null;
}

/** Resolves early if a webhook announces a change. */
let wake = () => undefined;
const pauseOrNews = (ms) => Promise.race([pause(ms), new Promise((resolve) => (wake = resolve))]);

/** Downloads the file of a batch. An expired link is asked for again by reading the batch. */
async function download(batch, read) {
  for (let attempt = 0; attempt < attemptsAtMost; attempt += 1) {
    const response = await call('GET', batch.links.paymentFile, {}, undefined, false);
    if (response?.status === 200) return writeFile(join(folder, `${batch.data.batchId}.txt`), response.text);
    await pause(backoff(attempt));
    batch = (await read()) ?? batch;
  }
}

/** Reads a batch until all its payments have ended. Returns their outcomes; those that have not ended are unknown. */
async function follow(batchId) {
  const until = Date.now() + patience;
  let payments = [];
  const read = () => readBatch(batchId);
  for (let ms = 1000; Date.now() < until; ms = Math.min(ms * 1.5, 15_000)) {
    await pauseOrNews(ms);
    const batch = await read();
    payments = batch?.data.payments ?? payments;
    if (batch?.links?.paymentFile) await download(batch, read);
    if (payments.length > 0 && payments.every(({ status }) => outcomes[status])) break;
  }
  return payments.map(outcomeOf);
}

/** Asks once more what became of payments that were paid in an earlier run: some may have come back. Nothing else is news. */
async function lookAgain({ batchId, result }) {
  if (!batchId || !result.includes('paid')) return result;
  const payments = (await readBatch(batchId))?.data.payments ?? [];
  const isBack = (index) => payments[index] && outcomeOf(payments[index]) === 'returned';
  return result.map((outcome, index) => (outcome === 'paid' && isBack(index) ? 'returned' : outcome));
}

/** Sends a stored attempt, also one that was sent before. Returns the outcome of each of its invoices, in their order, and its batch. */
async function pay({ key, body, ids, at, isFile }) {
  const all = (outcome) => ({ result: ids.map(() => outcome) });
  if (Date.now() > at + keyLife[isFile ? 'file' : 'electronic']) return all('unknown');
  const headers = { 'x-idempotency-key': key, 'Content-Type': 'application/json' };
  const response = await callUntilAnswered('POST', '/v3/batchpayments', headers, body);
  if (!response || [401, 409].includes(response.status)) return all('unknown');
  if (response.status >= 400) {
    console.error(`The service refused the batch with ${response.status}: ${response.text}`);
    return all('failed');
  }
  const { batchId } = JSON.parse(response.text).data;
  const followed = await follow(batchId);
  return { batchId, result: ids.map((_, index) => followed[index] ?? 'unknown') };
}

/** Whether a webhook is genuine: signed with the secret (Standard Webhooks), within the last five minutes. */
function isGenuine(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false;
  const secret = Buffer.from(env('WEBHOOK_SECRET').replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest();
  return signatures.split(' ').some((each) => {
    const given = Buffer.from(each.replace(/^v1,/, ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/**
 * Takes webhooks as hints: a genuine one, of whatever type, ends the pause before the next reading. What it says of payments
 * that came back is stored before it is answered.
 */
const receiver = createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  const body = Buffer.concat(parts);
  const genuine = isGenuine(request.headers, body);
  const event = genuine ? JSON.parse(body) : {};
  const back = (event.data?.payments ?? []).filter(({ status }) => status === 'Returned');
  for (const { paymentId } of back) cameBack.add(paymentId);
  if (back.length > 0) await writeJson(returnsFile, [...cameBack]);
  response.writeHead(genuine ? 204 : 401).end();
  if (event.type === 'batchUpdated') wake();
});

await mkdir(folder, { recursive: true });
if (env('WEBHOOK_PORT')) receiver.listen(Number(env('WEBHOOK_PORT')), '127.0.0.1');
const asked = await readJson(env('INVOICES'));
for (const paymentId of await readJson(returnsFile).catch(() => [])) cameBack.add(paymentId);
const found = {};
for (const attempt of await attemptsFor(asked)) {
  const known = await readJson(outcomeFile(attempt.number)).catch(() => null);
  const paid = known ? { ...known, result: await lookAgain(known) } : await pay(attempt);
  const { result } = paid;
  if (!result.includes('unknown')) await writeJson(outcomeFile(attempt.number), paid);
  attempt.ids.forEach((id, index) => (found[id] = result[index]));
}
const invoices = asked.invoices.map(({ id }) => ({ id, outcome: found[id] ?? 'unknown' }));
if (env('RESULT')) await writeJson(env('RESULT'), { invoices });
for (const { id, outcome } of invoices) console.log(`${id}: ${outcome}`);
process.exit(invoices.every(({ outcome }) => outcome === 'paid') ? 0 : 1);
