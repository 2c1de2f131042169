import { expect, it } from 'vitest';
import type { Problem } from '#contract/problem.ts';
import { serviceKey } from '#server/writes/serviceKey.ts';
import type { RecordedCall } from '#server/sandbox/recorded.ts';
import type { Exchange } from './line.ts';
import { paymentsOfUsers } from './pages.ts';
import { sentUnderTwoKeys, toldNotDone, wrongAlerts } from './told.ts';

const problem = (outcome: Problem['outcome'], code = 'upstream-failed', more: object = {}): Problem =>
  ({
    type: 'about:blank',
    title: '',
    status: 502,
    detail: 'd',
    code,
    outcome,

    ...more,
  }) as Problem; // of the codes of the console
const write = (sentAt: number, key: string, answer: { status: number; text?: unknown }, more: Partial<Exchange> = {}) =>
  ({
    who: 'Ann',
    workspace: '',
    method: 'POST',
    path: '/api/company',
    key,
    asked: '',
    body: '{}',
    companyKey: 'c',
    status: answer.status,
    text: answer.text === undefined ? '' : JSON.stringify(answer.text),
    sentAt,
    at: answer.status === 0 ? Infinity : sentAt + 10,
    ...more,
  }) satisfies Exchange;
const atService = serviceKey({ workspace: 'default', companyKey: 'c' }, 'a');
const done = { isDone: true, headers: { 'x-idempotency-key': atService } } as unknown as RecordedCall; // the rest is not read
const read = { isDone: true, headers: { 'x-interaction-id': atService } } as unknown as RecordedCall; // likewise

it.each(['not-sent', 'refused'] as const)(
  'a write that the service has done is found if its user was last told %s',
  (outcome) => {
    const told = write(0, 'a', { status: 502, text: problem(outcome) });
    expect(toldNotDone([told], [done], ['default'])).toHaveLength(1);
    expect(toldNotDone([write(-50, 'a', { status: 0 }), told], [done], ['default'])).toHaveLength(1);
  },
);

it.each([
  [[write(0, 'a', { status: 502, text: problem('not-sent') })], [read]],
  [[write(0, 'a', { status: 502, text: problem('unknown') })], [done]],
  [[write(0, 'a', { status: 502, text: problem('not-sent') }), write(20, 'a', { status: 200 })], [done]],
  [[write(0, 'a', { status: 502, text: problem('not-sent') }), write(20, 'a', { status: 0 })], [done]],
  [
    [
      write(0, 'a', {
        status: 502,
        text: problem('not-sent', 'upstream-failed', { earlier: { state: 'done', detail: '' } }),
      }),
    ],
    [done],
  ],
])('what was not done, is unknown, or was sent again since, is told rightly', (exchanges, calls) => {
  expect(toldNotDone(exchanges, calls, ['default'])).toEqual([]);
});

const pages = new Set(['Ann']);

it('a body that two tabs send under two keys, before the outcome of the first is known, is found (behaviour 4.23)', () => {
  const [lost, other] = [write(0, 'a', { status: 0 }), write(20, 'b', { status: 200 })];
  expect(sentUnderTwoKeys([lost, other], pages)).toHaveLength(1);
  expect(sentUnderTwoKeys([write(0, 'a', { status: 502, text: problem('unknown') }), other], pages)).toHaveLength(1);
});

it.each([
  [write(0, 'a', { status: 200 }), write(20, 'b', { status: 200 })],
  [write(0, 'a', { status: 422, text: problem('refused') }), write(20, 'b', { status: 200 })],
  [write(0, 'a', { status: 0 }), write(20, 'a', { status: 200 })],
  [write(0, 'a', { status: 0 }), write(20, 'b', { status: 200 }, { body: '{"other":1}' })],
  [write(0, 'a', { status: 0 }), write(20, 'b', { status: 200 }, { asked: 'another company' })],
  [write(0, 'a', { status: 0 }), write(20, 'b', { status: 200 }, { who: 'a program' })],
])('another body, company or user, or a definite outcome before, makes another write', (...exchanges) => {
  expect(sentUnderTwoKeys(exchanges, pages)).toEqual([]);
});

const seen = (failure: Problem) => ({
  by: { name: 'Ann', workspace: '', headers: {} },
  at: 100,
  since: 0,
  failure: { ...failure, call: 'createCompany' as const },
});

it('an alert that says more than the console had said is found', () => {
  const said = write(0, 'a', { status: 502, text: problem('unknown') });
  expect(wrongAlerts([seen(problem('not-sent'))], [said])).toHaveLength(1);
  const lost = write(0, 'a', { status: 0 });
  expect(wrongAlerts([seen(problem('not-sent', 'console-unreachable'))], [lost])).toHaveLength(1);
});

it('an alert that a write was not sent is right after a read before it has failed, and wrong once it was sent', () => {
  const alert = seen(problem('not-sent', 'upstream-refused', { call: 'createCompany' }));
  const refused = write(10, '', { status: 499, text: problem('refused', 'upstream-refused') }, { method: 'GET' });
  expect(wrongAlerts([alert], [refused])).toEqual([]);
  expect(wrongAlerts([alert], [write(0, 'a', { status: 200 }), refused])).toEqual([]);
  expect(wrongAlerts([alert], [refused, write(40, 'b', { status: 0 })])).toHaveLength(1);
});

it('a write that was sent twice at once, of which one is not answered, is not told to be undone', () => {
  const told = write(0, 'a', { status: 502, text: problem('not-sent') });
  expect(toldNotDone([write(0, 'a', { status: 0 }), told], [done], ['default'])).toEqual([]);
  expect(toldNotDone([write(0, 'a', { status: 502, text: problem('unknown') }), told], [done], ['default'])).toEqual([
    expect.stringContaining('not-sent'),
  ]);
});

it('an alert that a provider has refused a message is right after a reading of that message which says so', () => {
  const alert = seen(problem('refused', 'upstream-refused', { detail: 'no' }));
  const reading = (state: string, detail: string) =>
    write(0, '', { status: 200, text: { data: { state, detail } } }, { method: 'GET', path: '/api/messages/m-1' });
  expect(wrongAlerts([alert], [reading('refused', 'no')])).toEqual([]);
  expect(wrongAlerts([alert], [reading('refused', 'yes'), reading('waiting', 'no')])).toHaveLength(1);
});

it('an alert that says what the console had said, or that the outcome is unknown, is right', () => {
  const said = write(0, 'a', { status: 502, text: problem('not-sent') });
  expect(wrongAlerts([seen(problem('not-sent')), seen(problem('unknown'))], [said])).toEqual([]);
  const read = write(0, '', { status: 0 });
  expect(wrongAlerts([seen(problem('not-sent', 'console-unreachable'))], [read])).toEqual([]);
});

it('a payment that was not answered when its user left is the last that the user knows of it', () => {
  const path = '/api/batchpayments';
  const [lost, answered] = [write(0, 'a', { status: 0 }, { path }), write(20, 'a', { status: 502 }, { path })];
  const others = [write(5, 'b', { status: 200 }), write(5, 'b', { status: 200 }, { path, who: 'a program' })];
  expect(paymentsOfUsers([lost, answered, ...others], ['Ann'])).toEqual([answered, lost]);
});

it('a write whose key came with another request is not told to be undone', () => {
  const told = write(0, 'a', { status: 409, text: problem('not-sent', 'idempotency-conflict') });
  expect(toldNotDone([told], [done], ['default'])).toEqual([]);
});
