/**
 * A client that pays invoices, for the naive programs beside it. By itself it makes no mistake: each program replaces one
 * of its habits by a mistake. To write an integration, copy ../integration-node instead.
 */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { link, readFile, readdir, unlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';

export const env = (name) => process.env[`PAYMENTS_${name}`] ?? '';
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const encode = encodeURIComponent;
const hash = (algorithm, key, text) => createHmac(algorithm, key).update(text).digest('base64');

/** Whether a webhook is signed with the secret. */
export function isSigned({ 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': given = '' }, body) {
  const key = Buffer.from(env('WEBHOOK_SECRET').replace(/^whsec_/, ''), 'base64');
  const expected = Buffer.from(`v1,${hash('sha256', key, `${id}.${time}.${body}`)}`);
  return given.split(' ').some((each) => {
    const found = Buffer.from(each);
    return expected.length === found.length && timingSafeEqual(expected, found);
  });
}
export const isFresh = ({ 'webhook-timestamp': time }) => Math.abs(Date.now() / 1000 - Number(time)) <= 300;

/** What a program does that makes no mistake. */
const good = {
  nonce: () => randomUUID(),
  signedAddress: (url) => url.toLowerCase(),
  keepsToken: true,
  /** Whether a call with this method is repeated with another token once its own was refused. */
  renewsFor: () => true,
  address: (path) => path,
  /** The key of a new batch, and the key and the body of each attempt at it. */
  newKey: () => randomUUID(),
  keyOf: ({ key }) => key,
  bodyOf: ({ body }) => body,
  batch: (batch) => batch,
  isRetried: ({ status }) => status === 0 || status === 429 || status >= 500,
  /** Whether a status says that the service has refused the batch for good. */
  isRefusedBy: (status) => status >= 400 && status < 500 && ![401, 409, 429].includes(status),
  pauseAfter: ({ retryAfter }, attempt) => Math.max(400 * 2 ** attempt, retryAfter * 1000),
  /** The outcome when no attempt had a response. */
  withoutResponse: 'unknown',
  /** Reads Retry-After, in seconds. */
  retryAfterOf: ({ headers }) => {
    const asked = headers.get('retry-after') ?? '';
    const until = (Date.parse(asked) - Date.parse(headers.get('date') ?? '')) / 1000;
    return /^\d+$/.test(asked) ? Number(asked) : until || 0;
  },
  /** How redirects are treated, and the headers with which the link to a payment file is fetched. */
  redirect: 'manual',
  linkHeaders: () => ({}),
  /** Whether the invoices of an attempt are paid anew, under another key, after these outcomes. */
  paysAnew: () => false,
  /** Whether a refusal with this status has the payment begun anew, under another key. */
  beginsAnewAt: () => false,
  /** Which invoices an attempt pays, of those in the file and of those of earlier attempts. */
  chosen: (left) => left,
  /** Whether another run is under way, so that this one pays nothing of a file. */
  isLocked: async () => false,
  /** Whether an attempt is not made, and whether the next one is made after these outcomes. */
  isLeft: async () => false,
  goesOn: async () => true,
  /** What the result file says of an outcome. */
  saidOf: (outcome) => outcome,
  /** Reads the text of a response of the consumer API. */
  parse: (text) => JSON.parse(text),
  readsBatch: true,
  pollPause: 1100,
  /** What becomes of the time-out once the headers have arrived. */
  whenBegun: () => {},
  /** The text of a response that breaks off, and whether a text is a response of the service. */
  whenCut: (error) => {
    throw error;
  },
  isResponse: (text) => {
    try {
      return JSON.parse(text) !== null;
    } catch {
      return false;
    }
  },
  /** Whether a reading with this status says that the batch has failed; the payment of an invoice among those of a batch. */
  failsAt: () => false,
  paymentOf: (payments, _, index) => payments[index],
  /** Whether a response to the batch says by itself that it is paid. */
  isPaidBy: () => false,
  outcomeOf: (status) =>
    ({ Completed: 'paid', PaymentFileAvailable: 'paid', Returned: 'returned', Failed: 'failed', Rejected: 'failed' })[
      status
    ] ?? 'unknown',
  asksForLinkAgain: true,
  remembers: true,
  /** Whether it has a token before it plans. */
  plansWithToken: false,
  claims: async (draft, file) => link(draft, file),
  /** The status with which a webhook is answered, by the batches whose ids are known; without it, the program does not listen. */
  answerTo: undefined,
  /** Whether it remembers the payments that a webhook names as returned, whatever is read of them; how it stores their ids. */
  heedsReturns: true,
  storesReturns: (file, ids) => writeFile(file, ids),
};

/** Pays the invoices with these habits in place of the good ones, writes the result file, and ends the process. */
export async function payInvoices(habits) {
  const does = { ...good, ...habits };
  const known = new Set();
  let token = '';

  const returnedFile = join(env('STATE'), 'returned.json');
  const returned = new Set(JSON.parse(await readFile(returnedFile, 'utf8').catch(() => '[]')));
  async function heed(webhook) {
    const { payments = [] } = JSON.parse(webhook).data ?? {};
    for (const { paymentId, status } of payments) if (status === 'Returned') returned.add(paymentId);
    await does.storesReturns(returnedFile, JSON.stringify([...returned]));
  }

  async function call(method, url, headers, body) {
    const ender = new AbortController();
    const timer = setTimeout(() => ender.abort(), Number(env('TIMEOUT')) * 1000);
    try {
      const response = await fetch(url, { method, headers, body, signal: ender.signal, redirect: does.redirect });
      does.whenBegun(timer);
      const text = await response.text().catch(does.whenCut);
      const isRedirect = response.status >= 300 && response.status < 400;
      return { status: isRedirect ? 0 : response.status, retryAfter: does.retryAfterOf(response), text };
    } catch {
      return { status: 0, retryAfter: 0, text: '' };
    } finally {
      clearTimeout(timer);
    }
  }

  async function tokenInUse() {
    if (token !== '' && does.keepsToken) return token;
    const [url, nonce] = [`${env('URL')}/auth-v1/accessToken`, does.nonce()];
    const base = ['POST', encode(does.signedAddress(url)), '', encode(nonce)].join('&');
    const response = await call('POST', url, {
      'x-application': env('APPLICATION_ID'),
      'x-organisation-id': env('ORGANISATION_ID'),
      'x-company-id': env('COMPANY_ID'),
      'x-nonce': nonce,
      'x-signature': hash('sha1', `${env('SIGNING_KEY')}&null`, base),
    });
    if (response.status === 200) token = JSON.parse(response.text).jwt;
    return token;
  }

  async function answered(method, path, headers = () => ({}), body = () => undefined) {
    let response = { status: 0, retryAfter: 0, text: '' };
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const jwt = await tokenInUse();
      if (jwt === '') return response;
      const common = { 'x-application': env('APPLICATION_ID'), 'x-api-key': env('API_KEY') };
      const own = { 'x-fapi-interaction-id': randomUUID(), authorization: `Bearer ${jwt}`, ...headers() };
      response = await call(method, env('URL') + does.address(path), { ...common, ...own }, body());
      // What a proxy answers, and what is no whole response, say nothing about the payments.
      if (response.status < 500 && !does.isResponse(response.text, response.status))
        response = { ...response, status: 0 };
      if (response.status === 401 && does.renewsFor(method) && attempt === 0) token = '';
      else if (!does.isRetried(response)) return response;
      else await pause(does.pauseAfter(response, attempt));
    }
    return response;
  }

  const attemptFile = (number) => join(env('STATE'), `attempt-${number}.json`);
  const attemptFor = (invoices, file) => {
    const way = file ?? { subscriptionId: env('SUBSCRIPTION_ID'), debtor: { debtorId: env('DEBTOR_ID') } };
    const payments = invoices.map(({ creditorId, creditorName, amount, currency, reference, ...accounts }) => ({
      instructedAmount: { amount, currency },
      creditor: { creditorId, name: creditorName },
      remittanceInformation: { reference },
      ...(file && { creditorAgent: accounts.creditorAgent, creditorAccount: accounts.creditorAccount }),
    }));
    const day = `${new Date().toISOString().slice(0, 10)}T00:00:00Z`;
    const data = does.batch({ externalId: randomUUID(), ...way, requestedExecutionDateTime: day, payments });
    return { key: does.newKey(invoices), body: JSON.stringify({ data }), ids: invoices.map(({ id }) => id), invoices };
  };

  async function attemptsFor({ invoices, file }) {
    if (!does.remembers) return [attemptFor(invoices, file)];
    for (;;) {
      const names = (await readdir(env('STATE'))).filter((name) => /^attempt-\d+\.json$/.test(name));
      const attempts = await Promise.all(
        names.map(async (_, index) => JSON.parse(await readFile(attemptFile(index + 1), 'utf8'))),
      );
      const left = invoices.filter(({ id }) => !attempts.some(({ ids }) => ids.includes(id)));
      const chosen = does.chosen(left, attempts);
      if (left.length === 0 || chosen.length === 0) return attempts;
      const attempt = attemptFor(chosen, file);
      const draft = join(env('STATE'), randomUUID());
      await writeFile(draft, JSON.stringify(attempt));
      const failure = await does.claims(draft, attemptFile(names.length + 1)).catch(({ code }) => code);
      await unlink(draft).catch(() => undefined);
      if (failure === undefined && does.claims !== good.claims) return [...attempts, attempt];
    }
  }

  async function download(batch, batchId) {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      if ((await call('GET', batch.links.paymentFile, does.linkHeaders(token))).status === 200) return;
      if (does.asksForLinkAgain) batch = does.parse((await answered('GET', `/v3/batchpayments/${batchId}`)).text);
    }
  }

  async function follow(batchId, invoices) {
    let found = invoices.map(() => 'unknown');
    for (const until = Date.now() + 15_000; Date.now() < until;) {
      await pause(does.pollPause);
      const response = await answered('GET', `/v3/batchpayments/${batchId}`);
      if (does.failsAt(response.status)) return invoices.map(() => 'failed');
      if (response.status !== 200) continue;
      const batch = does.parse(response.text);
      found = invoices.map((invoice, index) => {
        const { paymentId, status } = does.paymentOf(batch.data.payments, invoice, index) ?? {};
        return does.outcomeOf(returned.has(paymentId) ? 'Returned' : status);
      });
      if (batch.links?.paymentFile) await download(batch, batchId);
      if (!found.includes('unknown')) break;
    }
    return found;
  }

  async function pay(attempt) {
    const all = (outcome) => attempt.ids.map(() => outcome);
    const headers = () => {
      const key = does.keyOf(attempt);
      return { 'content-type': 'application/json', ...(key && { 'x-idempotency-key': key }) };
    };
    const response = await answered('POST', '/v3/batchpayments', headers, () => does.bodyOf(attempt));
    if (does.beginsAnewAt(response.status) && !attempt.isAnew)
      return pay({ ...attempt, key: randomUUID(), isAnew: true });
    if (does.isRefusedBy(response.status)) return all('failed');
    if (response.status === 0 || response.status >= 400) return all(does.withoutResponse);
    if (!does.readsBatch || does.isPaidBy(response)) return all('paid');
    const { batchId } = does.parse(response.text).data;
    known.add(batchId);
    return follow(batchId, attempt.invoices);
  }

  if (does.answerTo)
    createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      const status = does.answerTo(request.headers, body, known);
      if (status === 204 && does.heedsReturns) await heed(body);
      response.writeHead(status).end();
    }).listen(Number(env('WEBHOOK_PORT')), '127.0.0.1');
  const asked = JSON.parse(await readFile(env('INVOICES'), 'utf8'));
  const found = {};
  if (does.plansWithToken) await tokenInUse();
  for (const attempt of (await does.isLocked(asked)) ? [] : await attemptsFor(asked)) {
    if (await does.isLeft(attempt)) continue;
    let result = await pay(attempt);
    if (does.paysAnew(result)) result = await pay({ ...attempt, key: randomUUID() });
    attempt.ids.forEach((id, index) => (found[id] = result[index]));
    if (!(await does.goesOn(result, attempt))) break;
  }
  const invoices = asked.invoices.map(({ id }) => ({ id, outcome: does.saidOf(found[id] ?? 'unknown') }));
  await writeFile(env('RESULT'), JSON.stringify({ invoices }));
  process.exit(invoices.every(({ outcome }) => outcome === 'paid') ? 0 : 1);
}
