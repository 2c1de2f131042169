import {
  couldKnowPaid,
  couldKnowReturned,
  isNeedlesslyUnknown,
  isUnknowable,
  programClaims,
  truthOf,
  type Claim,
} from './claims.ts';
import {
  endOf,
  isAnswered,
  overlap,
  slow,
  checkResult,
  finding,
  type Check,
  type Evidence,
  type Finding,
} from './evidence.ts';
import { writesIn } from './writes.ts';

const words = {
  paid: 'paid',
  returned: 'returned',
  failed: 'not paid',
  unknown: 'unknown',
  pending: 'not decided yet',
} as const;

/** Returns the writes that ask for an invoice, as what shows a false statement. */
const callsFor = (evidence: Evidence, invoiceId: string) =>
  writesIn(evidence, evidence.calls)
    .filter(({ items }) => items.includes(invoiceId))
    .map(({ call }) => call);

const says = ({ outcome, byStatus }: Claim): string =>
  byStatus ? `by its exit status that it is ${words[outcome]}` : `that it is ${words[outcome]}`;

/** How to mend a status that says more than the program knows, such as that of an instance that has found a lock. */
const mendStatus =
  'End with another status than 0 as long as the program has not learned that each invoice of its file is paid, also where another instance holds the lock; or write a result file.';

/** How to mend a program that waits for a response longer than it may run. */
const mendWaiting =
  'Give each call a time-out that holds until its body has arrived whole: that of some libraries ends with the headers.';

/** How long (ms) before the end of a run a call may have been given up that ended with it. */
const justNow = 1000;

const contradiction = (evidence: Evidence, claim: Claim, truth: string): Finding => ({
  ...finding(
    `${claim.invoiceId}: ${evidence.runs.length > 1 ? `run ${claim.run}` : 'the program'} says ${says(claim)}; ${truth}`,
    ...callsFor(evidence, claim.invoiceId),
  ),
  ...(claim.byStatus && claim.outcome === 'paid' && { mend: mendStatus }),
});

/** Judges the statements with this outcome. */
const judged = (outcome: Claim['outcome'], isWrong: (claim: Claim) => string | undefined) => (evidence: Evidence) => {
  const claims = programClaims(evidence).filter((claim) => claim.outcome === outcome);
  const seen = claims.flatMap((claim) => {
    const truth = isWrong(claim);
    return truth === undefined ? [] : [contradiction(evidence, claim, truth)];
  });
  return checkResult(claims.length > 0, seen);
};

/** Whether the service had accepted a call for an invoice, of whichever run, when something was said of it. */
const isAccepted = ({ invoiceId, at, known }: Claim): boolean =>
  writesIn(known, known.calls).some(
    ({ call, items }) => items.includes(invoiceId) && isAnswered(call) && endOf(call) <= at,
  );

/** Returns the outcomes that the program says it does not know, and has read. */
const overcautious = (evidence: Evidence): Finding[] =>
  overlap(evidence)
    ? []
    : programClaims(evidence)
        .filter(isNeedlesslyUnknown)
        .map((claim) =>
          contradiction(evidence, claim, `it has read that it is ${words[truthOf(claim.known, claim.invoiceId)]}`),
        );

/** Checks that the program's own result agrees with what the service knows. */
export const truthChecks: readonly Check[] = [
  {
    id: 'truth-paid',
    group: 'Truth',
    title: 'The program says paid only of paid invoices',
    why: 'Whoever relies on it marks the invoice as paid, and the creditor never receives the money.',
    mend: 'Say paid when the invoice’s own payment is Completed, whatever its batch is, or PaymentFileAvailable for a file: find it by its place in the batch or its reference, as creditor and amount may be equal. 201 and Received do not mean paid.',
    judge: judged('paid', (claim) => {
      // What a status of 0 means at another service, its program decides.
      if (claim.byStatus && claim.known.reading) return undefined;
      const truth = truthOf(claim.known, claim.invoiceId);
      if (truth === 'returned') return undefined; // truth-returned judges that
      if (truth !== 'paid') return `it is ${words[truth]}`;
      if (couldKnowPaid(claim)) return undefined;
      if (!claim.byStatus) return 'it was paid later, and the program had read no status that says so';
      // Without a result file, the program may not have read anything.
      return isAccepted(claim) ? undefined : 'it was paid later, and no call for it had been accepted yet';
    }),
  },
  {
    id: 'truth-failed',
    group: 'Truth',
    title: 'The program says failed only of failed invoices',
    why: 'Whoever relies on it pays the invoice again, and the creditor receives the money twice.',
    mend: 'Say failed when the service refused the batch or shows the payment as failed; after a lost response, or a 409, say unknown.',
    judge: judged('failed', ({ invoiceId, known }) => {
      const truth = truthOf(known, invoiceId);
      return truth === 'failed' || truth === 'returned' ? undefined : `it is ${words[truth]}`;
    }),
  },
  {
    id: 'truth-returned',
    group: 'Truth',
    title: 'The program says returned of what it knows to have come back, and of nothing else',
    why: 'The creditor has no money although the invoice counts as paid; or it counts as failed, and a closed account is paid again.',
    mend: 'Say returned once a payment was paid and is then Returned, also if a webhook alone names it in data.payments while every status stays: store that before the webhook is answered, as it does not come again. Whether it is paid again is decided by a person.',
    judge(evidence) {
      const claims = programClaims(evidence).map((claim) => {
        const truth = truthOf(claim.known, claim.invoiceId);
        return { claim, truth, isKnown: truth === 'returned' && couldKnowReturned(claim) };
      });
      const judgedClaims = claims.filter(
        ({ claim: { outcome }, isKnown }) => outcome === 'returned' || (isKnown && outcome !== 'unknown'),
      );
      const seen = judgedClaims
        .filter(({ claim: { outcome }, truth }) => outcome !== truth)
        .map(({ claim, truth, isKnown }) =>
          contradiction(evidence, claim, isKnown ? 'it was told that the payment came back' : `it is ${words[truth]}`),
        );
      return checkResult(judgedClaims.length > 0, seen);
    },
  },
  {
    id: 'truth-unknown',
    group: 'Truth',
    title: 'The program says unknown if, and only if, it cannot know',
    why: 'A guess is wrong at the worst moment; an outcome that is needlessly unknown is checked by hand.',
    mend: 'Say unknown if the last attempt had no response and nothing was read since. Otherwise say what was read.',
    judge(evidence) {
      const claims = programClaims(evidence);
      const guessed = claims
        .filter(({ outcome, invoiceId, known }) => outcome !== 'unknown' && isUnknowable(known, invoiceId))
        .map((claim) => contradiction(evidence, claim, 'it has no response that says so'));
      const arose = claims.some(
        ({ outcome, invoiceId, known }) => outcome === 'unknown' || isUnknowable(known, invoiceId),
      );
      return checkResult(arose, [...guessed, ...overcautious(evidence)]);
    },
  },
  {
    id: 'truth-ends',
    group: 'Truth',
    title: 'The program ends by itself, or is declared as a service',
    why: 'A run that never ends blocks the next one, and nobody learns what became of the payments.',
    mend: 'End once all outcomes are written, and after a while also if a batch does not end; or verify a service with --service.',
    judge({ runs, scenario, calls }) {
      // There, a program may go on reading for as long as it likes, until the batch ends.
      const judgedRuns = scenario === 'endless-batch' ? runs.slice(1) : runs;
      const wanted = judgedRuns.filter(({ ended }) => ended !== 'killed');
      const late = wanted.filter(({ ended }) => ended === 'limit');
      return checkResult(
        wanted.length > 0,
        late.map(({ startedAt, endedAt }) => {
          const ended = `A run was ended after ${Math.round((endedAt - startedAt) / 1000)} s`;
          const open = calls.findLast(
            (call) => call.at >= startedAt && call.at <= endedAt && endOf(call) > endedAt - justNow,
          );
          if (!open || !slow.includes(open.fault ?? '')) return finding(ended);
          const until = open.fault === 'noBody' ? 'the body of the response' : 'the response';
          return {
            ...finding(`${ended}, while it waited for ${until} to ${open.method} ${open.path}`, open),
            mend: mendWaiting,
          };
        }),
      );
    },
  },
  {
    id: 'truth-result',
    group: 'Truth',
    title: 'The result file is as documented',
    why: 'A file that cannot be read says nothing about the payments.',
    mend: 'Write { "invoices": [{ "id": "…", "outcome": "paid" }] } in one step, with an outcome of paid, returned, failed or unknown.',
    judge({ runs }) {
      const written = runs.filter(({ result, ended }) => result !== undefined && ended === 'itself');
      return checkResult(
        written.length > 0,
        written.flatMap(({ result }) => (typeof result === 'string' ? [finding(result)] : [])),
      );
    },
  },
];
