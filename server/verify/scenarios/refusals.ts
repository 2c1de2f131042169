import { atBatch, everyTime, type Scenario } from './scenario.ts';

/** The service takes a call later, elsewhere or never. */
export const refusals: readonly Scenario[] = [
  {
    id: 'unavailable',
    expected: 8000,
    title: 'The service is unavailable three times',
    course: 'once',
    faults: [atBatch({ kind: 'status', status: 503 }, 3)],
    checks: ['write-backoff', 'write-same-key'],
  },
  {
    id: 'too-many-calls',
    title: 'The service asks to wait for two seconds',
    course: 'once',
    faults: [atBatch({ kind: 'tooMany', retryAfter: 2 })],
    checks: ['write-retry-after'],
  },
  {
    id: 'too-many-until',
    title: 'The service asks to wait until a time',
    course: 'once',
    faults: [atBatch({ kind: 'tooManyUntil', retryAfter: 4 })],
    checks: ['write-retry-after'],
  },
  {
    id: 'expired-token',
    title: 'The token expires before the batch',
    course: 'once',
    faults: [atBatch({ kind: 'expiredToken' })],
    checks: ['request-token-renewed', 'request-nonce'],
  },
  {
    id: 'token-unavailable',
    title: 'The token cannot be had at first',
    course: 'once',
    faults: [{ on: 'call', of: 'accessToken', fault: { kind: 'status', status: 503 }, times: 1 }],
    checks: ['truth-failed', 'write-once'],
  },
  {
    id: 'redirected',
    title: 'The batch is redirected to another host',
    course: 'once',
    faults: [atBatch({ kind: 'redirect' })],
    checks: ['request-redirect', 'truth-paid'],
  },
  {
    id: 'refused',
    title: 'The batch is refused with 422',
    course: 'once',
    faults: [atBatch({ kind: 'status', status: 422 }, everyTime)],
    checks: ['write-refused', 'truth-failed'],
  },
];
