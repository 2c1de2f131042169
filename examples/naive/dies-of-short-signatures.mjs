/** Mistake: compares signatures by timingSafeEqual, which throws if their lengths differ: a forged webhook ends the program. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { env, isFresh, payInvoices } from './client.mjs';

const key = Buffer.from(env('WEBHOOK_SECRET').replace(/^whsec_/, ''), 'base64');

function isSigned({ 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': given = '' }, body) {
  const expected = `v1,${createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')}`;
  return given.split(' ').some((each) => timingSafeEqual(Buffer.from(each), Buffer.from(expected)));
}

await payInvoices({ answerTo: (headers, body) => (isFresh(headers) && isSigned(headers, body) ? 204 : 401) });
