import { describe, expect, it } from 'vitest';
import { batchEvents, messageEvents, type TimelineEvent } from '#app/journey/timelineEvents.ts';
import type { TimelineEntry } from '#contract/timeline.ts';

const nothing = { headers: {}, body: '', bytes: 0 };
let made = 0;

/** An entry at so many ms. */
function entry(at: number, more: Partial<TimelineEntry>): TimelineEntry {
  made += 1;
  return {
    id: String(made),
    kind: 'service',
    interactionId: 'i',
    at: new Date(at).toISOString(),
    ms: 0,
    journey: '',
    step: '',
    name: '',
    method: 'POST',
    url: 'http://service.test/api-msg-v1/debtoraccountputs',
    status: 202,
    reason: '',
    attempt: 1,
    request: nothing,
    response: nothing,
    signature: '',
    baseString: '',
    answers: '',
    ...more,
  };
}

const body = (value: unknown) => ({ ...nothing, body: JSON.stringify(value) });
const told = (marks: readonly TimelineEvent[]) =>
  marks.map(({ at, what, how, tone }) => [at, what, how, tone].join(' | '));

describe('a history that lacks its beginning', () => {
  const webhook = entry(5000, {
    kind: 'webhook',
    status: 204,
    name: 'batchUpdated',
    request: body({ data: { status: 'Completed' } }),
  });
  const read = entry(4000, { method: 'GET', status: 200, response: body({ data: { status: 'Processing' } }) });
  const since = new Date(1000).toISOString();

  it('of a batch says so, with the time at which it was posted (behaviour 10.15.7)', () => {
    const [first, ...rest] = told(batchEvents([webhook, read], '', since));
    expect(first).toBe('1000 | Sent; the call is no longer recorded |  | done');
    expect(rest.map((line) => line.split(' | ').slice(0, 2))).toEqual([
      ['4000', 'Processing'],
      ['5000', 'Completed'],
    ]);
    expect(told(batchEvents([webhook]))[0]).toBe('NaN | What happened before is no longer recorded |  | done');
    expect(batchEvents([], '', since)).toEqual([]);
  });

  it('of a message says so, and counts from the time at which it was sent', () => {
    expect(told(messageEvents([webhook], since)).slice(0, 2)).toEqual([
      '1000 | Sent; the call is no longer recorded |  | done',
      '5000 | Webhook received after 4.0 s | not signed | failed',
    ]);
    expect(told(messageEvents([webhook])).slice(0, 2)).toEqual([
      'NaN | What happened before is no longer recorded |  | done',
      '5000 | Webhook received | not signed | failed',
    ]);
  });
});

describe('the history of a batch after it was paid', () => {
  const back = { paymentId: 'p', status: 'Returned', extendedStatus: 'AC04', additionalData: { returnedAt: '2026-01-13T00:00:00Z', returnedAmount: { amount: '1.25', currency: 'GBP' } } }; // prettier-ignore
  const webhook = (at: number, data: object, more: Partial<TimelineEntry> = {}) =>
    entry(at, { kind: 'webhook', method: 'POST', status: 204, signature: 'valid', request: body({ data }), ...more });
  const read = (at: number, data: object) => entry(at, { method: 'GET', status: 200, response: body({ data }) });
  const [, ...completed] = told(batchEvents([webhook(1000, { status: 'Completed' })]));
  const sentence = 'Came back on 2026-01-13: Account closed (AC04), 1.25 GBP';
  const after = (...entries: TimelineEntry[]) =>
    told(batchEvents([webhook(1000, { status: 'Completed' }), ...entries])).slice(1 + completed.length);

  it('tells once that a payment came back, with reason, amount and day, by status or by webhook alone (behaviour 4.66)', () => {
    const returned = { status: 'PartiallyReturned', payments: [back] };
    expect(after(webhook(2000, returned), webhook(3000, returned), read(4000, returned))).toEqual([
      `2000 | PartiallyReturned: ${sentence} | webhook | back`,
    ]);
    expect(
      after(webhook(2000, { status: 'Completed', payments: [back] }), read(3000, { status: 'Completed' })),
    ).toEqual([`2000 | ${sentence} | webhook | back`]);
    expect(after(read(2000, returned))).toEqual([`2000 | PartiallyReturned: ${sentence} | read, 200 · 0 ms | back`]);
  });

  it('says of a webhook that came late that it did, and keeps the state (behaviour 4.68)', () => {
    const late = webhook(2000, { status: 'Processing' }, { late: true });
    expect(after(late, read(3000, { status: 'Completed' }))).toEqual(['2000 | Late: Processing | webhook | idle']);
    const ended = told(batchEvents([webhook(1000, { status: 'PartiallyCompleted' }), late], '1 of 8 failed'));
    expect(ended.slice(-2).map((line) => line.split(' | ')[1])).toEqual(['PartiallyCompleted, 1 of 8 failed', 'Late: Processing']); // prettier-ignore
  });
});

describe('the timeline events of a message', () => {
  const sent = entry(1000, { ms: 42 });
  const webhook = entry(2400, { kind: 'webhook', name: 'debtoraccountputs', url: '/notifications', status: 204, ms: 3, signature: 'valid' }); // prettier-ignore

  it('run from sending to storing, each with its time, in whatever order entries arrive (behaviour 10.15.1)', () => {
    const expected = [
      '1000 | Sent | POST /api-msg-v1/debtoraccountputs | done',
      '1042 | Accepted | 202 · 42 ms | done',
      '2400 | Webhook received after 1.4 s | signature valid | done',
      '2403 | Stored | 204 | done',
    ];
    expect(told(messageEvents([sent, webhook]))).toEqual(expected);
    expect(told(messageEvents([webhook, sent]))).toEqual(expected);
  });

  it('show a pending webhook, a refusal and a missing response', () => {
    expect(told(messageEvents([sent])).at(-1)).toBe('NaN | Waiting for the webhook |  | waiting');
    const refused = entry(1000, { status: 422, ms: 5 });
    expect(told(messageEvents([refused]))).toEqual([
      '1000 | Sent | POST /api-msg-v1/debtoraccountputs | done',
      '1005 | Refused | 422 · 5 ms | failed',
    ]);
    const lost = entry(500, { status: 0, reason: 'timed out', ms: 7 });
    const again = entry(1000, { ms: 42, attempt: 2 });
    expect(told(messageEvents([again, lost])).slice(1, 3)).toEqual([
      '507 | No response | timed out · 7 ms | failed',
      '1000 | Sent again | POST /api-msg-v1/debtoraccountputs | done',
    ]);
  });

  it('show an invalid signature and that the webhook was not stored', () => {
    const forged = entry(1500, { kind: 'webhook', name: 'x', status: 403, signature: 'invalid' });
    expect(told(messageEvents([sent, forged])).slice(-2)).toEqual([
      '1500 | Webhook received after 0.5 s | signature invalid | failed',
      '1500 | Not stored | 403 | failed',
    ]);
  });

  it('say that their beginning is missing without the sending entry, and never place a webhook before it', () => {
    expect(messageEvents([])).toEqual([]);
    expect(messageEvents([webhook])[0]?.what).toBe('What happened before is no longer recorded');
    const early = entry(900, { kind: 'webhook', name: 'x', status: 204, signature: 'valid' });
    expect(told(messageEvents([sent, early])).find((mark) => mark.includes('received'))).toContain('after 0.0 s');
  });
});

describe('the timeline events of a batch', () => {
  const url = 'http://service.test/v3/batchpayments';
  const posted = entry(1000, {
    url,
    status: 201,
    ms: 42,
    request: body({ data: { payments: [{}, {}] } }),
    response: body({ data: { batchId: 'b', status: 'Received' } }),
  });
  const webhook = (at: number, status: string) =>
    entry(at, { kind: 'webhook', status: 204, signature: 'valid', request: body({ data: { status } }) });
  const read = (at: number, status: unknown) =>
    entry(at, { method: 'GET', url, status: 200, ms: 9, response: body({ data: { status } }) });

  it('show each status once, from posting on, with its source (behaviour 10.15.1)', () => {
    const entries = [read(5000, 'Completed'), webhook(3000, 'Processing'), webhook(4000, 'Completed'), posted, read(3500, 'Processing')]; // prettier-ignore
    expect(told(batchEvents(entries))).toEqual([
      '1000 | Sent | 201 · 42 ms | done',
      '1042 | Received | answer | done',
      '3000 | Processing | webhook | done',
      '4000 | Completed | webhook | done',
    ]);
    const late = [posted, read(2000, 'Processing'), webhook(2010, 'Processing')];
    expect(told(batchEvents(late)).at(-1)).toBe('2009 | Processing | webhook | done');
  });

  it('use polled statuses if no webhook came, and end with the failed payments', () => {
    const marks = told(batchEvents([posted, read(2000, 'PartiallyCompleted')], '1 of 2 failed'));
    expect(marks.at(-1)).toBe('2009 | PartiallyCompleted, 1 of 2 failed | read, 200 · 9 ms | partial');
  });

  it('are in the order in which they were reported, also if a webhook arrives during a read', () => {
    const slow = { ...read(2000, 'Completed'), ms: 500 };
    expect(
      told(batchEvents([posted, slow, webhook(2200, 'Processing'), webhook(2700, 'Completed')])).slice(-2),
    ).toEqual(['2200 | Processing | webhook | done', '2500 | Completed | webhook | done']);
  });

  it('ignore bodies that are truncated or not a batch', () => {
    const cut = { ...read(2000, 'Processing'), response: { ...nothing, body: '{"data":{"status":"Proc' } };
    const odd = [null, [], 'text', { data: null }, { data: { status: 7 } }].map((value, index) => ({ ...read(2100 + index, ''), response: body(value) })); // prettier-ignore
    expect(told(batchEvents([posted, cut, ...odd]))).toHaveLength(2);
  });
});
