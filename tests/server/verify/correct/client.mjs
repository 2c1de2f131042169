/** The calls of the correct programs in Node. */
import { createHmac, randomUUID } from 'node:crypto';

export const env = (name) => process.env[`PAYMENTS_${name}`];
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const outcomeOf = (status) =>
  ({ Completed: 'paid', PaymentFileAvailable: 'paid', Returned: 'returned', Failed: 'failed', Rejected: 'failed' })[
    status
  ];

/** The payment of an invoice, with accounts where it is paid in a bank file. */
export const paymentOf = ({ creditorId, creditorName, amount, currency, reference, ...more }, file) => ({
  instructedAmount: { amount, currency },
  creditor: { creditorId, name: creditorName },
  remittanceInformation: { reference },
  ...(file && { creditorAgent: more.creditorAgent, creditorAccount: more.creditorAccount }),
});

/** The day on which batches are paid: today, or so many days later. */
const day = new Date(Date.now() + Number(process.env.DAYS_LATER ?? 0) * 24 * 3600_000);

/** The body of a batch, a bank file where the file of invoices has the members for one. */
export const batchOf = (externalId, payments, file) =>
  JSON.stringify({
    data: {
      externalId,
      ...(file ?? { subscriptionId: env('SUBSCRIPTION_ID'), debtor: { debtorId: env('DEBTOR_ID') } }),
      requestedExecutionDateTime: `${day.toISOString().slice(0, 10)}T00:00:00Z`,
      payments,
    },
  });

/** The body of a batch that pays an invoice. */
export const bodyFor = (invoice, file) => batchOf(invoice.id, [paymentOf(invoice, file)], file);

async function ask(method, path, headers, body) {
  try {
    const signal = AbortSignal.timeout(env('TIMEOUT') * 1000);
    const response = await fetch(env('URL') + path, { method, headers, body, signal, redirect: 'error' });
    const text = await response.text();
    // A page, whatever its status, is no answer of the service.
    const value = response.status < 500 && response.status !== 429 ? JSON.parse(text) : undefined;
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
let obtaining;
/**
 * Repeats a call until an answer tells what happened, or no attempt is left: its status is 0 then, or that of the last one.
 * One that is not to be repeated is left after a lost response.
 */
export async function call(method, path, more, body, { isRepeated = true } = {}) {
  for (let attempt = 0; ; attempt += 1) {
    token ??= await (obtaining ??= obtain().finally(() => (obtaining = undefined)));
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
    const isLost = answer.status === 0 || (answer.status >= 500 && answer.status !== 503);
    if (isFinal || attempt === 3 || (isLost && token && !isRepeated)) return answer;
    if (answer.status === 401) token = undefined;
    else await pause(Math.max(answer.wait, 400 * 3 ** attempt * (1 + Math.random() / 2)));
  }
}
