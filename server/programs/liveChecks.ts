import type { FaultRule } from '#contract/controlShapes.ts';
import type { ProgramCheck } from '#contract/programShapes.ts';
import { maskAll } from '#server/mask.ts';
import type { RecordedApplication, RecordedBatch, RecordedCall } from '#server/sandbox/recorded.ts';
import { header } from '#server/upstream/wire.ts';
import { endOf, notExercised, type Check, type Evidence, type Verdict } from './checks/evidence.ts';
import { checks } from './checks/index.ts';

/**
 * The checks that calls alone can fail. The others need to know when the program was started, what it was asked to pay,
 * what it reports, or how it answers webhooks, which only `verify` knows.
 */
const judgedByCalls: readonly string[] = [
  'request-signature',
  'request-nonce',
  'request-token-renewed',
  'request-secret-in-address',
  'request-members',
  'write-key',
  'write-same-key',
  'write-same-body',
  'write-new-key',
  'write-backoff',
  'write-retry-after',
  'write-lost-response',
  'write-timeout',
  'reading-polls',
  'reading-file-link',
];

/** A pause (ms) without a call after which calls belong to another run of the program, or to another payment. */
const betweenRuns = 10_000;

const isUnderWay = ({ status, ms }: RecordedCall): boolean => status === 0 && ms === 0;

/** Returns the calls in groups between which nothing was under way for a while, oldest first. */
function runsIn(calls: readonly RecordedCall[]): RecordedCall[][] {
  const runs: RecordedCall[][] = [];
  let end = -Infinity;
  for (const call of calls) {
    if (call.at - end > betweenRuns) runs.push([]);
    runs.at(-1)?.push(call);
    end = Math.max(end, endOf(call));
  }
  return runs;
}

const keyOf = ({ headers }: RecordedCall): string => headers[header.idempotency] ?? '';

/** Returns the batches that calls without a key created, by the call: the latest call created the latest batch. */
function keylessBatches({ calls, batches }: RecordedApplication): Map<RecordedCall, RecordedBatch> {
  const created = batches.filter(({ idempotencyKey }) => idempotencyKey === '').reverse();
  const creating = calls.filter((call) => call.operation === 'createBatch' && call.isDone && keyOf(call) === '');
  return new Map(creating.reverse().flatMap((call, index) => (created[index] ? [[call, created[index]]] : [])));
}

/** Returns the evidence of one run: its calls, and the batches that it created. */
function evidenceOf(calls: readonly RecordedCall[], records: RecordedApplication, secrets: readonly string[]) {
  const keys = new Set(calls.map(keyOf));
  const keyless = keylessBatches(records);
  const batches = [
    ...records.batches.filter(({ idempotencyKey }) => idempotencyKey !== '' && keys.has(idempotencyKey)),
    ...calls.flatMap((call) => keyless.get(call) ?? []),
  ];
  return {
    scenario: '',
    calls,
    webhooks: records.webhooks,
    batches,
    invoices: [],
    runs: [],
    redirected: [],
    secrets,
    works: false,
  } satisfies Evidence;
}

/** Returns the verdict on the latest run in which the check's situation arose, so that a mended program passes. */
const latestVerdict = (check: Check, runs: readonly Evidence[]): Verdict =>
  runs.map((run) => check.judge(run)).findLast(({ verdict }) => verdict !== 'not exercised') ?? notExercised;

/** Judges the recorded calls of an application's programs by all checks. The answer contains none of the secrets. */
export function judgedLive(records: RecordedApplication, secrets: readonly string[]): ProgramCheck[] {
  const calls = records.calls.filter((each) => !isUnderWay(each));
  const runs = runsIn(calls).map((each) => evidenceOf(each, records, secrets));
  const shownOf = (number: number) =>
    calls
      .filter((each) => each.number === number)
      .map(({ at, method, operation, status }) => ({
        number,
        method,
        operation,
        status,
        at: new Date(at).toISOString(),
      }));
  const mask = maskAll(secrets);
  return checks.map((check) => {
    const { id, group, title, why, mend, exercise } = check;
    const verifyOnly = !judgedByCalls.includes(id);
    const found = verifyOnly ? notExercised : latestVerdict(check, runs);
    const seen = found.verdict === 'failed' ? found.seen : [];
    return {
      id,
      group,
      title,
      why,
      mend,
      verdict: found.verdict,
      verifyOnly,
      seen: seen.map(({ says, calls: numbers }) => ({ says: mask(says), calls: numbers.flatMap(shownOf) })),
      exercise: exercise && !verifyOnly ? ({ ...exercise, probability: 1, seed: 1 } as FaultRule) : null, // of the lab's kinds
    };
  });
}
