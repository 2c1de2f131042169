import { counted } from '#rules/counted.ts';
import type { RecordedCall } from '#server/sandbox/recorded.ts';
import {
  finding,
  isAnswered,
  isUnknown,
  notExercised,
  overlap,
  slow,
  checkResult,
  type Check,
  type Evidence,
  type Finding,
} from './evidence.ts';
import { refusalIn, undisturbed, unpaid } from './paid.ts';
import { isAbout } from './claims.ts';
import { openInvoices } from './settled.ts';
import { isDead, paidTimes, paymentsOf, timesPaid, writesIn, type Write } from './writes.ts';

const isBatch = ({ call }: Write): boolean => call.operation === 'createBatch';

const batchWrites = (evidence: Evidence): Write[] => writesIn(evidence, evidence.calls).filter(isBatch);

/** Returns the writes of runs that ended by themselves: a call of any other run may have been ended with the run. */
const ownWrites = (evidence: Evidence): Write[] =>
  batchWrites(evidence).filter(({ call: { at } }) =>
    evidence.runs.every(({ startedAt, endedAt, ended }) => ended === 'itself' || at < startedAt || at > endedAt),
  );

/** Whether the program gave up waiting for a response: it received none, or no end of it. */
const isGivenUp = ({ status, fault = '' }: RecordedCall): boolean =>
  slow.includes(fault) && (status === 0 || fault === 'noBody');

/** Whether the work was done, and the program received no whole response about it. */
const isLost = (call: RecordedCall): boolean => call.isDone && !slow.includes(call.fault ?? '') && isUnknown(call);

/** Returns a finding for each of these payments that was made more than once, with the writes that made it. */
function paidAgain(evidence: Evidence, items: readonly string[]): Finding[] {
  const writes = batchWrites(evidence);
  return [...new Set(items)].flatMap((item) => {
    const times = timesPaid(evidence, item);
    if (times < 2) return [];
    const makers = writes.filter((write) => write.items.includes(item) && write.call.isDone);
    return [finding(paidTimes(item, times, makers), ...makers.map(({ call }) => call))];
  });
}

/** Judges that what these writes ask for is paid once at most. */
function paidOnce(evidence: Evidence, concerned: readonly Write[]) {
  const items = concerned.flatMap((write) => write.items);
  return checkResult(concerned.length > 0, paidAgain(evidence, items));
}

/** Whether the scenario killed a run, after which the program was started again. */
const isRestarted = ({ runs }: Evidence): boolean =>
  !overlap({ runs }) && runs.slice(0, -1).some(({ ended }) => ended === 'killed');

/** Whether the program was started again for invoices that an earlier run had not settled. */
const isRunAgain = ({ runs }: Evidence): boolean =>
  runs.some(({ endedAt, asked }) =>
    runs.some((next) => next.startedAt >= endedAt && next.asked.some((id) => asked.includes(id))),
  );

/** Returns how many webhooks about the batches of an invoice the program acknowledged without reading the batch after the last one. */
function ignoredWebhooks(evidence: Evidence, id: string): number {
  const batches = paymentsOf(evidence, id).map(({ batchId }) => batchId);
  const accepted = evidence.webhooks
    .flatMap(({ deliveries }) => deliveries)
    .filter(({ status, body }) => status >= 200 && status < 300 && batches.some((batchId) => body.includes(batchId)));
  const last = Math.max(...accepted.map(({ at }) => at));
  const isRead = evidence.calls.some(
    (call) => call.at >= last && batches.some((batchId) => isAbout(evidence, call, batchId)),
  );
  return isRead ? 0 : accepted.length;
}

/** Returns the invoices that no run has settled, each with what stands in the way. That a run did not end by itself is not judged here. */
function unsettled(evidence: Evidence): Finding[] {
  const isEnded = evidence.runs.at(-1)?.ended === 'itself';
  return openInvoices(evidence).flatMap(({ id, says }): Finding[] => {
    if (!isEnded && timesPaid(evidence, id) > 0) return [];
    const makers = batchWrites(evidence).filter(({ items }) => items.includes(id));
    const sentence = `${id} ${says} after ${counted(evidence.runs.length, 'run')}`;
    const calls = makers.map(({ call }) => call);
    const last = makers.at(-1);
    const refusal = refusalIn(last?.call);
    const isRebuilt = makers.some(({ key, call }) => key === last?.key && call.body !== last.call.body);
    if (last?.call.status === 409 && isRebuilt)
      return [
        {
          ...finding(`${sentence}; ${refusal}`, ...calls),
          mend: 'Store the body with its key, and send exactly these bytes again. Never take another key for it: the first attempt may have been accepted, and the payments would be made twice.',
        },
      ];
    // Without a response, the program knows no batch that it could read.
    const ignored = calls.some(isAnswered) ? ignoredWebhooks(evidence, id) : 0;
    if (ignored > 0)
      return [
        {
          ...finding(
            `${sentence}; it acknowledged ${counted(ignored, 'webhook')} about the batch, and has not read it since`,
            ...calls,
          ),
          mend: 'Read the batch after each webhook about it. Remember a webhook-id only once the batch was read and the outcome stored: the repetition of a webhook that came before a crash is otherwise dropped as a duplicate. When the program starts, read each batch that has not ended, without waiting for a webhook.',
        },
      ];
    return [finding(`${sentence}${refusal === '' ? '' : `; ${refusal}`}`, ...calls)];
  });
}

/** Checks of what has been paid in the end. */
export const onceChecks: readonly Check[] = [
  {
    id: 'write-paid',
    group: 'Writes',
    title: 'Each invoice is paid once when nothing fails',
    why: 'A program that does not pay in the simplest situation shows nothing about the others.',
    mend: 'Read the invoices from the file that PAYMENTS_INVOICES names, and create batches that pay each of them once.',
    judge: (evidence) =>
      undisturbed.includes(evidence.scenario)
        ? checkResult(evidence.invoices.length > 0, unpaid(evidence))
        : notExercised,
  },
  {
    id: 'write-lost-response',
    group: 'Writes',
    title: 'Payments are made once although a response is lost',
    why: 'The batch exists although the program received no response. A second batch pays everybody again.',
    mend: 'Repeat the call with the same key and body, which returns the first response; or report the outcome as unknown.',
    exercise: { on: 'call', of: 'createBatch', fault: { kind: 'answerLost' }, times: 1 },
    judge: (evidence) =>
      paidOnce(
        evidence,
        ownWrites(evidence).filter(({ call }) => isLost(call)),
      ),
  },
  {
    id: 'write-timeout',
    group: 'Writes',
    title: 'Payments are made once although a response comes too late',
    why: 'A call that the program has given up can still take effect at the service, seconds later.',
    mend: 'Treat a time-out as an unknown outcome: repeat the call with the same key and body, or report it as unknown.',
    exercise: { on: 'call', of: 'createBatch', fault: { kind: 'latency', ms: 60_000 }, times: 1 },
    // What two instances pay twice, they pay twice without a time-out.
    judge: (evidence) =>
      overlap(evidence)
        ? notExercised
        : paidOnce(
            evidence,
            ownWrites(evidence).filter(({ call }) => isGivenUp(call)),
          ),
  },
  {
    id: 'write-restart',
    group: 'Writes',
    title: 'Payments are made once although the program is killed while it pays',
    why: 'A program that remembers nothing of an interrupted payment pays again after its restart.',
    mend: 'Before the first attempt, store key and body durably. After a restart, repeat what is stored instead of beginning anew.',
    judge(evidence) {
      const first = evidence.runs[0];
      if (!first || !isRestarted(evidence)) return notExercised;
      return paidOnce(
        evidence,
        batchWrites(evidence).filter(({ call }) => call.at <= first.endedAt && call.isDone),
      );
    },
  },
  {
    id: 'write-instances',
    group: 'Writes',
    title: 'Payments are made once although two instances run at the same time',
    why: 'A scheduler or an impatient user starts a second instance, which pays what the first one is paying.',
    mend: 'Take a lock that the other instance sees, and read what is stored only once you hold it; or derive key and body from the invoices so that both send the same.',
    judge: (evidence) => (overlap(evidence) ? paidOnce(evidence, batchWrites(evidence)) : notExercised),
  },
  {
    id: 'write-once',
    group: 'Writes',
    title: 'No invoice is paid twice, whatever happens',
    why: 'Money that was paid twice has to be asked back from the creditor.',
    mend: 'Pay an invoice anew only after the service has said that its payment failed; remember for each invoice which batch pays it.',
    judge: (evidence) =>
      checkResult(
        evidence.invoices.length > 0 && evidence.batches.length > 0,
        paidAgain(
          evidence,
          evidence.invoices.map(({ id }) => id),
        ),
      ),
  },
  {
    id: 'write-returned',
    group: 'Writes',
    title: 'What came back is not paid again unless a file asks for it',
    why: 'The account is closed, or the payee has refused the money: it comes back again, less charges, or reaches somebody else.',
    mend: 'Say returned, and pay nothing: neither the invoice nor what was kept as charges. Pay again when a file has an invoice with another id that replaces it.',
    judge(evidence) {
      const times = (id: string) =>
        paymentsOf(evidence, id).filter(({ status, returned }) => returned || !isDead(status)).length;
      const isBack = ({ id }: { id: string }) => paymentsOf(evidence, id).some(({ returned }) => returned);
      const { invoices } = evidence;
      // Who pays in each run what is paid does so without a return, which write-once judges.
      if (invoices.some((each) => !isBack(each) && times(each.id) > 1)) return notExercised;
      const back = invoices.filter(isBack);
      const seen = back
        .filter(({ id }) => times(id) > 1)
        .map(({ id }) => {
          const makers = batchWrites(evidence).filter(({ items, call }) => items.includes(id) && call.isDone);
          return finding(
            `${id} came back and was paid again, which no file asked for`,
            ...makers.map(({ call }) => call),
          );
        });
      return checkResult(back.length > 0 && isRunAgain(evidence), seen);
    },
  },
  {
    id: 'write-settled',
    group: 'Writes',
    title: 'Each invoice is settled in the end: paid, or refused by the service',
    why: 'An invoice that nobody pays after a failure is noticed by its creditor, weeks later.',
    mend: 'When the program starts, send again what is stored and not answered, read what has not ended, and pay what was never sent; a lock must end with the process that holds it.',
    judge: (evidence) => (isRunAgain(evidence) ? checkResult(true, unsettled(evidence)) : notExercised),
  },
];
