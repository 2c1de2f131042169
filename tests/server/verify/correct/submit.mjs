/**
 * Pays in two steps, as a scheduled job does: a run sends what is stored and not answered, and ends without waiting; what it
 * has sent before, it reads once. So it says unknown of each new batch, and the next run says what became of it.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const env = (name) => process.env[`PAYMENTS_${name}`];
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
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

async function ask(method, path, headers, body) {
  try {
    const signal = AbortSignal.timeout(env('TIMEOUT') * 1000);
    const response = await fetch(env('URL') + path, { method, headers, body, signal, redirect: 'error' });
    const text = await response.text();
    const value = response.ok ? JSON.parse(text) : undefined;
    const [asked, now] = [response.headers.get('retry-after') ?? '', Date.parse(response.headers.get('date'))];
    const wait = /^\d+$/.test(asked) ? Number(asked) * 1000 : Math.max(0, Date.parse(asked) - now) || 0;
    return { status: response.status, value, wait };
  } catch {
    return { status: 0, value: undefined, wait: 0 };
  }
}

async function obtain() {
  const [address, nonce] = [`${env('URL')}/auth-v1/accessToken`, randomUUID()];
  const base = `POST&${encodeURIComponent(address.toLowerCase())}&&${encodeURIComponent(nonce)}`;
  const { value } = await ask('POST', '/auth-v1/accessToken', {
    'X-Application': env('APPLICATION_ID'),
    'X-Organisation-Id': env('ORGANISATION_ID'),
    'X-Company-Id': env('COMPANY_ID'),
    'X-Nonce': nonce,
    'X-Signature': createHmac('sha1', `${env('SIGNING_KEY')}&null`)
      .update(base)
      .digest('base64'),
  });
  return value?.jwt;
}

let token;
async function call(method, path, more, body) {
  for (let attempt = 0; ; attempt += 1) {
    token ??= await obtain();
    const answer = token
      ? await ask(
          method,
          path,
          {
            'x-application': env('APPLICATION_ID'),
            'x-api-key': env('API_KEY'),
            Authorization: `Bearer ${token}`,
            ...more,
          },
          body,
        )
      : { status: 0, wait: 0 };
    const isFinal = answer.status >= 200 && answer.status < 500 && ![401, 429].includes(answer.status);
    if (isFinal || attempt === 3) return answer;
    if (answer.status === 401) token = undefined;
    else await pause(Math.max(answer.wait, 400 * 3 ** attempt * (1 + Math.random() / 2)));
  }
}

const { invoices, file } = JSON.parse(readFileSync(env('INVOICES'), 'utf8'));
const outcomes = {};
for (const { id, creditorId, creditorName, amount, currency, reference, ...accounts } of invoices) {
  store(
    `payment-${id}`,
    {
      key: randomUUID(),
      body: JSON.stringify({
        data: {
          externalId: id,
          ...(file ?? { subscriptionId: env('SUBSCRIPTION_ID'), debtor: { debtorId: env('DEBTOR_ID') } }),
          requestedExecutionDateTime: `${new Date().toISOString().slice(0, 10)}T00:00:00Z`,
          payments: [
            {
              instructedAmount: { amount, currency },
              creditor: { creditorId, name: creditorName },
              remittanceInformation: { reference },
              ...(file && accounts),
            },
          ],
        },
      }),
    },
    true,
  );
  const { key, body } = stored(`payment-${id}`);
  const known = stored(`batch-${id}`);
  if (known?.refused) outcomes[id] = 'failed';
  else if (known) {
    const { value } = await call('GET', `/v3/batchpayments/${known.batchId}`, {});
    const said = { Completed: 'paid', PaymentFileAvailable: 'paid', Failed: 'failed', Rejected: 'failed' };
    outcomes[id] = said[value?.data?.payments?.[0]?.status];
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
