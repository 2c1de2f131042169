import type { RecordedCall } from '#server/sandbox/recorded.ts';
import { isMisjudged, programClaims, truthOf, type Claim } from './claims.ts';
import {
  callsByRun,
  endOf,
  finding,
  isAnswered,
  isTaken,
  notExercised,
  checkResult,
  type Check,
  type Evidence,
  type Finding,
  type Verdict,
} from './evidence.ts';

/** The least time (ms) between two polls, less what timers and the network take away from it. */
const leastInterval = 1000 - 100;
/** The time (ms) after a webhook in which a program reads what it was told about, which is no poll. */
const hinted = 2000;

const isRead = ({ operation }: RecordedCall): boolean => operation === 'batch';
const isFile = ({ operation }: RecordedCall): boolean => operation === 'paymentFile';

/** Returns the calls whose response had members changed by this fault. */
const changedBy = ({ calls }: Evidence, kind: string): RecordedCall[] =>
  calls.filter(({ fault, status }) => fault === kind && status >= 200 && status < 300);

/** Returns how the program's first run failed, with an error and without a result: no later one meets such a response. */
const crashes = ({ runs }: Evidence, changed: readonly RecordedCall[]): Finding[] =>
  runs
    .slice(0, 1)
    .flatMap(({ ended, exitStatus, result }) =>
      ended === 'itself' && result === undefined && exitStatus !== 0
        ? [finding(`The program ended with status ${exitStatus ?? 'none'} after such a response`, ...changed)]
        : [],
    );

/** What is said of a program whose result would be wrong without such a response as well. */
const unjudgedAsItFails: Verdict = {
  verdict: 'not exercised',
  because: 'The program does not pay, or say so, as asked when nothing fails, so that its result shows nothing',
};

/** Judges that the program pays and reports as usual although responses have members changed by this fault. */
const tolerates = (kind: string) => (evidence: Evidence) => {
  const changed = changedBy(evidence, kind);
  if (changed.length === 0) return notExercised;
  if (!evidence.works) return unjudgedAsItFails;
  const wrong = programClaims(evidence)
    .filter(isMisjudged)
    .map(({ invoiceId, outcome, known }) =>
      finding(`The program says that ${invoiceId} is ${outcome}; it is ${truthOf(known, invoiceId)}`, ...changed),
    );
  return checkResult(true, [...crashes(evidence, changed), ...wrong]);
};

/** Whether the latest reading of the batches by the program showed an unknown status. */
function lastStatusUnknown({ calls }: Evidence): boolean {
  const last = calls.filter((each) => isRead(each) && each.status === 200).at(-1);
  return last?.fault === 'unknownStatus';
}

/** Returns a claim that an unknown status does not justify. */
function unjustified({ invoiceId, outcome, known }: Claim): string | undefined {
  if (outcome === 'unknown') return undefined;
  if (lastStatusUnknown(known))
    return `The last status that the program read was unknown, it says that ${invoiceId} is ${outcome}`;
  if (outcome === 'failed' && truthOf(known, invoiceId) !== 'failed')
    return `The program says that ${invoiceId} is failed; it is ${truthOf(known, invoiceId)}`;
  return undefined;
}

/** Whether a batch was read because of a webhook that had just arrived, also one that the program did not live to answer. */
const isHinted = ({ webhooks }: Evidence, { at }: RecordedCall): boolean =>
  webhooks.some(({ deliveries }) =>
    deliveries.some((each) => isTaken(each) && at >= each.at && at - endOf(each) <= hinted),
  );

/** Returns the pairs of polls of a batch that followed each other too fast. */
function fastPolls(evidence: Evidence, calls: readonly RecordedCall[]): [RecordedCall, RecordedCall][] {
  const reads = calls.filter((call) => isRead(call) && !isHinted(evidence, call));
  return reads.flatMap((read, index): [RecordedCall, RecordedCall][] => {
    const next = reads.slice(index + 1).find(({ path }) => path === read.path);
    if (!next || next.at - read.at >= leastInterval) return [];
    // A failed reading is repeated, and an expired link is asked for again, which is no poll.
    const isRepeat =
      !isAnswered(read) || calls.some((each) => isFile(each) && each.at >= read.at && each.at <= next.at);
    return isRepeat ? [] : [[read, next]];
  });
}

/** Returns the calls for a payment file that were refused because its link had expired, each with the later calls. */
const expiredLinks = (calls: readonly RecordedCall[]): [RecordedCall, RecordedCall[]][] =>
  calls.flatMap((call, index) => (isFile(call) && call.status === 410 ? [[call, calls.slice(index + 1)]] : []));

/** Checks of how the program reads responses. */
export const readingChecks: readonly Check[] = [
  {
    id: 'reading-unknown-members',
    group: 'Reading',
    title: 'Unknown members in responses are ignored',
    why: 'The service adds members without notice. A program that refuses them stops at the next release.',
    mend: 'Read the members that the program needs, and ignore all others. Do not validate with a closed schema.',
    exercise: { on: 'call', of: 'any', fault: { kind: 'extraMembers' }, times: 5 },
    judge: tolerates('extraMembers'),
  },
  {
    id: 'reading-unknown-status',
    group: 'Reading',
    title: 'An unknown status is neither success nor failure',
    why: 'The service may add statuses. Taking one for a failure leads to a second payment, for a success to a missing one.',
    mend: 'Compare with the statuses that the program knows. Go on reading at any other one, and finally report unknown.',
    exercise: { on: 'call', of: 'batch', fault: { kind: 'unknownStatus' }, times: 2 },
    judge(evidence) {
      const changed = changedBy(evidence, 'unknownStatus');
      if (changed.length === 0) return notExercised;
      if (!evidence.works) return unjudgedAsItFails;
      const wrong = programClaims(evidence)
        .map(unjustified)
        .filter((sentence) => sentence !== undefined)
        .map((sentence) => finding(sentence, ...changed));
      // A status other than 0 may say unknown, but a program that stops at the first such response has not read on.
      const crashed = crashes(evidence, changed).filter(() => !lastStatusUnknown(evidence) || changed.length < 2);
      return checkResult(true, [...crashed, ...wrong]);
    },
  },
  {
    id: 'reading-null-members',
    group: 'Reading',
    title: 'null counts as an absent member',
    why: 'The service may send null for a member that has no value. A program that reads into it crashes while it pays.',
    mend: 'Check that an optional member is neither absent nor null before reading it.',
    exercise: { on: 'call', of: 'any', fault: { kind: 'nullMembers' }, times: 5 },
    judge: tolerates('nullMembers'),
  },
  {
    id: 'reading-polls',
    group: 'Reading',
    title: 'A batch is polled at most once a second',
    why: 'Payments take seconds to days. Faster polling burdens the service and meets its rate limit.',
    mend: 'Wait a second or more between two readings of a batch, and longer with each; webhooks announce changes.',
    exercise: { on: 'batch', of: 'any', fault: { kind: 'hold' }, times: 1 },
    judge(evidence) {
      const runs = callsByRun(evidence);
      const polled = runs.some((calls) => calls.filter(isRead).length > 1);
      const fast = runs.flatMap((calls) => fastPolls(evidence, calls));
      // Once may have another reason, such as a last reading before a report.
      const seen =
        fast.length < 2 ? [] : [finding(`${fast.length} readings of a batch followed within a second`, ...fast.flat())];
      return checkResult(polled, seen);
    },
  },
  {
    id: 'reading-file-link',
    group: 'Reading',
    title: 'An expired link to a payment file is asked for again',
    why: 'A link is valid for five minutes. The file itself is not lost when the link has expired.',
    mend: 'After a 410, read the batch again and use its new link.',
    exercise: { on: 'call', of: 'paymentFile', fault: { kind: 'status', status: 410 }, times: 1 },
    judge(evidence) {
      const expired = callsByRun(evidence).flatMap(expiredLinks);
      const seen = expired.flatMap(([call, later]) => {
        if (later.some(isRead)) return [];
        return [finding('The program did not read the batch again after its link had expired', call)];
      });
      // Without runs, a program that has not read the batch again yet may still do so.
      if (evidence.runs.length === 0) return checkResult(seen.length < expired.length, []);
      return checkResult(expired.length > 0, seen);
    },
  },
];
