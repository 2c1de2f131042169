import { atBatch, everyTime, type Scenario } from './scenario.ts';

/** The call that pays has no response, or none that says what became of it. */
export const lostResponses: readonly Scenario[] = [
  {
    id: 'lost-response',
    title: 'The response to the batch is lost',
    course: 'once',
    faults: [atBatch({ kind: 'answerLost' })],
    checks: ['write-lost-response', 'write-same-key', 'write-same-body', 'truth-unknown'],
  },
  {
    id: 'every-response-lost',
    expected: 20000,
    title: 'All responses to the batch are lost',
    course: 'once',
    faults: [atBatch({ kind: 'answerLost' }, everyTime)],
    checks: ['truth-unknown', 'truth-failed', 'write-lost-response', 'write-settled'],
  },
  {
    id: 'late-response',
    expected: 12_000,
    title: 'The response to the batch comes without its body, and then after the time-out',
    course: 'once',
    faults: [atBatch({ kind: 'noBody' }), atBatch({ kind: 'latency', ms: 600_000 })],
    checks: ['write-timeout', 'write-same-key'],
  },
  {
    id: 'proxy-page',
    title: 'A proxy answers the batch with a page, with 201 and then with 200',
    course: 'once',
    faults: [atBatch({ kind: 'html', status: 201 }), atBatch({ kind: 'html', status: 200 })],
    checks: ['truth-paid', 'write-once'],
  },
  {
    id: 'cut-response',
    title: 'The response to the batch breaks off',
    course: 'once',
    faults: [atBatch({ kind: 'truncated' })],
    checks: ['write-lost-response', 'write-same-key', 'truth-paid'],
  },
  {
    id: 'half-response',
    title: 'The response to the batch is 200 with half a body',
    course: 'once',
    faults: [atBatch({ kind: 'changed', path: '', came: 'status 200 and half a body' })],
    checks: ['write-lost-response', 'write-same-key', 'truth-paid'],
  },
  {
    id: 'failed-response',
    title: 'The batch is created, and the response says 504',
    course: 'once',
    faults: [atBatch({ kind: 'changed', path: '', came: 'status 504 and half a body' })],
    checks: ['write-lost-response', 'write-same-key', 'truth-failed'],
  },
  {
    id: 'empty-response',
    title: 'The response to the batch has no body',
    course: 'once',
    faults: [atBatch({ kind: 'changed', path: '', came: 'no body' })],
    checks: ['write-lost-response', 'write-same-key', 'truth-paid'],
  },
  {
    id: 'accepted',
    title: 'The batch is accepted with 202',
    course: 'once',
    faults: [atBatch({ kind: 'changed', path: '', came: 'status 202' })],
    checks: ['truth-paid', 'truth-failed', 'write-once'],
  },
  {
    id: 'conflict',
    title: 'The response to the batch is lost, and its repeats are refused: by a proxy, and as already in progress',
    course: 'once',
    faults: [
      atBatch({ kind: 'answerLost' }),
      atBatch({ kind: 'html', status: 403 }),
      atBatch({ kind: 'status', status: 409 }),
    ],
    checks: ['write-once', 'truth-failed', 'write-lost-response'],
  },
];
