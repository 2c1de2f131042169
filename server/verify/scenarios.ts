import type { Exercise } from '#server/programs/checks/evidence.ts';
import type { CallFault } from '#server/sandbox/faultRules.ts';

/** How the program is run in a scenario. */
type Course =
  /** Once, until it ends. */
  | 'once'
  /** Killed while its first batch is under way, then started again with the same state. */
  | 'killed'
  /** Likewise, but killed while its first call for a batch is under way. */
  | 'killed-early'
  /** Two instances at the same time, with the same state. */
  | 'twice'
  /** Again with other invoices after it has ended, with the same state. */
  | 'again';

/** A situation that a program is put into. */
export interface Scenario {
  id: string;
  title: string;
  course: Course;
  /** Rules of the fault lab that are set before the program starts. */
  faults: readonly Exercise[];
  /** Ids of the checks that it is for. Many other checks judge it as well. */
  checks: readonly string[];
  /** Whether the payment of the second invoice fails at the bank. */
  failing?: boolean;
  /** Whether the invoices are to be paid in a bank file. */
  byFile?: boolean;
  /** Whether all invoices have the same amount, and those of two runs the same creditors. */
  alike?: boolean;
  /** Whether all invoices have the same creditor. */
  toOne?: boolean;
  /** Whether the second file repeats the invoices of the first one: only for a program whose files may do so. */
  repeats?: boolean;
  /** Whether webhooks of all kinds are sent to the program. */
  webhooks?: boolean;
  /** Whether webhooks say of a batch that it has failed, and that it is completed, while it fails in part. */
  misled?: boolean;
  /** Time (ms) after which a run is ended here, whatever the option says: what it says until then is judged. */
  limit?: number;
  /** The interval (ms) at which batches advance once the program has read them; without it, they do so by themselves. */
  stepEvery?: number;
  /** Roughly how long it takes (ms); the longest scenarios start first. */
  expected?: number;
}

const atBatch = (fault: CallFault, times = 1): Exercise => ({ on: 'call', of: 'createBatch', fault, times });

const atReading = (fault: CallFault): Exercise => ({ on: 'call', of: 'batch', fault, times: 1 });

/** How often a fault happens that is to meet each call of a program. */
const everyTime = 100;

/** The situations, in the order in which they are listed. */
export const scenarios: readonly Scenario[] = [
  {
    id: 'works',
    title: 'Nothing fails',
    course: 'once',
    faults: [],
    checks: ['write-paid', 'write-key', 'write-key-form', 'request-signature', 'request-nonce', 'request-token-reused'],
  },
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
    expected: 7000,
    title: 'The response to the batch comes after the time-out',
    course: 'once',
    faults: [atBatch({ kind: 'latency', ms: 600_000 })],
    checks: ['write-timeout', 'write-same-key'],
  },
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
    id: 'expired-token',
    title: 'The token expires before the batch',
    course: 'once',
    faults: [atBatch({ kind: 'expiredToken' })],
    checks: ['request-token-renewed', 'request-nonce'],
  },
  {
    id: 'too-many-until',
    title: 'The service asks to wait until a time',
    course: 'once',
    faults: [atBatch({ kind: 'tooManyUntil', retryAfter: 4 })],
    checks: ['write-retry-after'],
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
    title: 'The response to the batch is lost, and its repeat is refused as already in progress',
    course: 'once',
    faults: [atBatch({ kind: 'answerLost' }), atBatch({ kind: 'status', status: 409 })],
    checks: ['write-once', 'truth-failed', 'write-lost-response'],
  },
  {
    id: 'refused',
    title: 'The batch violates a rule',
    course: 'once',
    faults: [atBatch({ kind: 'status', status: 422 }, everyTime)],
    checks: ['write-refused', 'truth-failed'],
  },
  {
    id: 'payment-fails',
    expected: 6000,
    title: 'One payment fails at the bank',
    course: 'once',
    // Slowly, so that a program that reads meets a status that is not final.
    faults: [{ on: 'batch', of: 'any', fault: { kind: 'hold' }, times: everyTime }],
    stepEvery: 1600,
    failing: true,
    checks: ['truth-paid', 'truth-failed', 'write-once'],
  },
  {
    id: 'equal-payments',
    title: 'One of several equal payments to a creditor fails',
    course: 'once',
    faults: [{ on: 'batch', of: 'any', fault: { kind: 'failPayment', index: 1 }, times: everyTime }],
    alike: true,
    toOne: true,
    checks: ['truth-paid', 'truth-failed', 'write-once'],
  },
  {
    id: 'unknown-members',
    title: 'Responses have unknown members',
    course: 'once',
    faults: [{ on: 'call', of: 'any', fault: { kind: 'extraMembers' }, times: everyTime }],
    checks: ['reading-unknown-members'],
  },
  {
    id: 'unknown-status',
    title: 'The batch has an unknown status for a while',
    course: 'once',
    faults: [{ on: 'call', of: 'batch', fault: { kind: 'unknownStatus' }, times: 2 }],
    checks: ['reading-unknown-status'],
  },
  {
    id: 'null-members',
    title: 'Optional members of responses are null',
    course: 'once',
    faults: [{ on: 'call', of: 'any', fault: { kind: 'nullMembers' }, times: everyTime }],
    checks: ['reading-null-members'],
  },
  {
    id: 'failed-readings',
    expected: 12_000,
    title: 'Readings of the batch fail in several ways',
    course: 'once',
    faults: [
      atReading({ kind: 'status', status: 503 }),
      atReading({ kind: 'status', status: 404 }),
      atReading({ kind: 'truncated' }),
      atReading({ kind: 'html', status: 200 }),
      atReading({ kind: 'reset' }),
    ],
    checks: ['truth-paid', 'truth-failed', 'write-once'],
  },
  {
    id: 'endless-batch',
    expected: 30_000,
    title: 'The batch does not end for 30 seconds',
    course: 'once',
    faults: [{ on: 'batch', of: 'any', fault: { kind: 'hold' }, times: everyTime }],
    limit: 30_000,
    checks: ['truth-paid', 'truth-failed', 'write-settled'],
  },
  {
    id: 'slow-batch',
    expected: 7000,
    title: 'The batch is processed slowly',
    course: 'once',
    faults: [{ on: 'batch', of: 'any', fault: { kind: 'hold' }, times: everyTime }],
    stepEvery: 2500,
    checks: ['reading-polls'],
  },
  {
    id: 'file-link',
    title: 'The link to a payment file expires',
    course: 'once',
    faults: [{ on: 'call', of: 'paymentFile', fault: { kind: 'status', status: 410 }, times: 1 }],
    byFile: true,
    checks: ['reading-file-link'],
  },
  {
    id: 'next-invoices',
    title: 'The program runs again with invoices that differ by their references only',
    course: 'again',
    faults: [],
    alike: true,
    checks: ['write-new-key', 'write-paid', 'write-once'],
  },
  {
    id: 'next-file',
    title: 'The program pays two bank files in a row',
    course: 'again',
    faults: [],
    byFile: true,
    checks: ['write-new-key', 'write-once', 'request-file-link'],
  },
  {
    id: 'repeated-invoices',
    title: 'The next file repeats invoices that are paid, in another order and beside new ones',
    course: 'again',
    faults: [],
    repeats: true,
    checks: ['write-paid', 'write-once', 'write-settled'],
  },
  {
    id: 'repeated-unknown',
    expected: 20000,
    title: 'The next file repeats invoices whose responses were all lost, beside new ones',
    course: 'again',
    faults: [atBatch({ kind: 'answerLost' }, everyTime)],
    repeats: true,
    checks: ['write-once', 'write-settled', 'truth-unknown'],
  },
  {
    id: 'killed',
    title: 'The program is killed while it pays, and started again',
    course: 'killed',
    faults: [atBatch({ kind: 'noBody' })],
    checks: ['write-restart', 'write-settled'],
  },
  {
    id: 'killed-early',
    title: 'The program is killed before its first batch exists, and started again',
    course: 'killed-early',
    faults: [atBatch({ kind: 'noAnswer' })],
    checks: ['write-settled', 'write-restart'],
  },
  {
    id: 'two-instances',
    title: 'Two instances pay at the same time',
    course: 'twice',
    // Until both have called.
    faults: [atBatch({ kind: 'latency', ms: 600_000 }, everyTime)],
    checks: ['write-instances'],
  },
  {
    id: 'webhooks',
    title: 'Genuine and forged webhooks arrive, the first one before the response to the batch',
    course: 'once',
    faults: [
      { on: 'batch', of: 'any', fault: { kind: 'hold' }, times: everyTime },
      // The program learns the batch's id only when the body has ended.
      atBatch({ kind: 'slow', ms: 1500 }),
    ],
    webhooks: true,
    checks: [
      ...['webhook-answered', 'webhook-forged', 'webhook-altered', 'webhook-old', 'webhook-unknown-type'],
      ...['webhook-duplicate', 'webhook-order', 'webhook-bytes', 'webhook-signatures'],
    ],
  },
  {
    id: 'misleading-webhook',
    title: 'Webhooks say failed and completed of a batch that fails in part',
    course: 'once',
    faults: [{ on: 'batch', of: 'any', fault: { kind: 'hold' }, times: everyTime }],
    failing: true,
    misled: true,
    checks: ['webhook-hint'],
  },
];

/** Returns the ids of the scenarios that are for a check. */
export const scenariosFor = (check: string): string[] =>
  scenarios.filter(({ checks }) => checks.includes(check)).map(({ id }) => id);
