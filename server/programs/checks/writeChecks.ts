import { isIdempotencyKey } from '#server/http/singleHeaders.ts';
import {
  isAnswered,
  isUnknown,
  checkResult,
  finding,
  overlap,
  type Check,
  type Evidence,
  type ProgramRun,
} from './evidence.ts';
import { isAbout } from './claims.ts';
import { attempts, isSameWrite, keyHeaderOf, writesByRun, writesIn, type Attempts, type Write } from './writes.ts';

/** Whether the program read, between two attempts, what had become of the first one. */
const isLookedUp = (evidence: Evidence, [before, next]: Attempts): boolean =>
  evidence.batches.some(
    ({ batchId, idempotencyKey }) =>
      idempotencyKey === before.key &&
      evidence.calls.some(
        (each) =>
          isAnswered(each) &&
          isAbout(evidence, each, batchId) &&
          each.number > before.call.number &&
          each.number < next.call.number,
      ),
  );

/** Returns each write whose outcome the program could not know, with the next attempt at it. */
const retriesOf = (evidence: Evidence): Attempts[] =>
  attempts(evidence).filter(
    (pair) => (isUnknown(pair[0].call) || pair[0].call.status >= 500) && !isLookedUp(evidence, pair),
  );

/** Returns the pairs of writes with the same key. */
const sameKeys = (writes: readonly Write[]): Attempts[] =>
  writes.flatMap((write, index): Attempts[] => {
    const next = writes.slice(index + 1).find(({ key }) => key !== '' && key === write.key);
    return next ? [[write, next]] : [];
  });

/** Returns the run of a write; undefined if there is none, or several at the same time. */
const runOf = (evidence: Evidence, { call }: Write): ProgramRun | undefined =>
  overlap(evidence)
    ? undefined
    : evidence.runs.findLast(({ startedAt, endedAt }) => call.at >= startedAt && call.at <= endedAt);

/** Whether the second write is that of a later run for the same file of invoices, which may have built its body anew. */
function isAfterRestart(evidence: Evidence, [before, next]: Attempts): boolean {
  const [first, second] = [runOf(evidence, before), runOf(evidence, next)];
  return first !== second && first !== undefined && second?.asked.join() === first.asked.join();
}

/**
 * Whether the second write under a key repeats the first one: it asks for some of the same, or it is what a later run sends
 * in place of a write whose outcome is unknown. That it asks for something else shows a body that was built anew.
 */
const isRepetition = (evidence: Evidence, pair: Attempts): boolean =>
  isSameWrite(...pair) || (isUnknown(pair[0].call) && isAfterRestart(evidence, pair));

/** Returns the pairs of a write and its repetition under the same key; of runs, where the first one may have been accepted. */
const repetitions = (evidence: Evidence): Attempts[] => {
  const pairs = [
    ...writesByRun(evidence).flatMap(sameKeys),
    ...sameKeys(writesIn(evidence, evidence.calls)).filter(
      (pair) => isAfterRestart(evidence, pair) && (pair[0].call.isDone || isUnknown(pair[0].call)),
    ),
  ];
  return pairs.filter((pair) => isRepetition(evidence, pair));
};

/** Number of characters shown of an idempotency key. */
const shownKey = 100;

/** Checks of the keys and the bodies of writes and their repetitions. */
export const writeChecks: readonly Check[] = [
  {
    id: 'write-key',
    group: 'Writes',
    title: 'Each batch and subscription has an idempotency key',
    why: 'Without a key the service carries out each attempt, so that a retry pays twice.',
    mend: 'Send x-idempotency-key with a unique value, such as a UUID, with each POST that creates a batch or a subscription.',
    judge(evidence) {
      const writes = writesIn(evidence, evidence.calls);
      const seen = writes
        .filter(({ key }) => key === '')
        .map(({ call }) => finding(`${call.method} ${call.path} has no ${keyHeaderOf(evidence)}`, call));
      return checkResult(writes.length > 0, seen);
    },
  },
  {
    id: 'write-key-form',
    group: 'Writes',
    title: 'Each idempotency key is one header of 1 to 200 visible characters',
    why: 'The service refuses other keys. If a retry adds the header again, it has another key than the first attempt.',
    mend: 'Set x-idempotency-key once for each call instead of appending it, with a value such as a UUID: no blanks, no letters outside ASCII.',
    judge(evidence) {
      const writes = writesIn(evidence, evidence.calls).filter(({ call }) =>
        Object.hasOwn(call.headers, keyHeaderOf(evidence)),
      );
      const seen = writes
        .filter(({ key }) => !isIdempotencyKey(key))
        .map(({ call, key }) =>
          finding(`${call.method} ${call.path} has the ${keyHeaderOf(evidence)} “${key.slice(0, shownKey)}”`, call),
        );
      return checkResult(writes.length > 0, seen);
    },
  },
  {
    id: 'write-same-key',
    group: 'Writes',
    title: 'A retry has the key of the first attempt',
    why: 'A write without a response may have taken effect. Under a new key, the service carries it out again.',
    mend: 'Make the key before the first attempt, store it with the payment, and send it again with each retry.',
    exercise: { on: 'call', of: 'createBatch', fault: { kind: 'status', status: 500 }, times: 1 },
    judge(evidence) {
      const judged = retriesOf(evidence).filter(([before, next]) => before.key !== '' && next.key !== '');
      const seen = judged
        .filter(([before, next]) => before.key !== next.key)
        .map(([before, next]) =>
          finding('The program sent the same payments again under another idempotency key', before.call, next.call),
        );
      return checkResult(judged.length > 0, seen);
    },
  },
  {
    id: 'write-same-body',
    group: 'Writes',
    title: 'A retry repeats the body of the first attempt',
    why: 'The service refuses a known key with another body (409), so the program does not learn the outcome.',
    mend: 'Store key and body before the first attempt, and send exactly these bytes again, also after a restart, including externalId and dates. Never take a new key for them: the first attempt may have been accepted, and the payments would be made twice.',
    exercise: { on: 'call', of: 'createBatch', fault: { kind: 'answerLost' }, times: 1 },
    judge(evidence) {
      const repeats = repetitions(evidence);
      const seen = repeats
        .filter(([before, next]) => before.call.body !== next.call.body)
        .map(([before, next]) =>
          finding(
            `The body differs from the first attempt under the same key${isAfterRestart(evidence, [before, next]) ? ', after a restart' : ''}`,
            before.call,
            next.call,
          ),
        );
      return checkResult(repeats.length > 0, seen);
    },
  },
  {
    id: 'write-new-key',
    group: 'Writes',
    title: 'A new payment has a new key',
    why: 'The service takes a known key for a repetition: the new payment is refused or never made.',
    mend: 'Make a key for each batch of other invoices. Never derive it from something that two batches share, such as the day. A batch that was sent before keeps its key and its body.',
    judge(evidence) {
      const writes = writesIn(evidence, evidence.calls).filter(({ key }) => key !== '');
      const differ = writes.some((write) => writes.some((other) => !isSameWrite(write, other)));
      const seen = sameKeys(writes)
        .filter((pair) => !isRepetition(evidence, pair))
        .map(([before, next]) =>
          finding('Two different batches have the same idempotency key', before.call, next.call),
        );
      return checkResult(differ, seen);
    },
  },
];
