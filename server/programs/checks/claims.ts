import { isObject, jsonIn } from '#contract/json.ts';
import { returnedStatus } from '#contract/returns.ts';
import type { RecordedCall } from '#server/sandbox/recorded.ts';
import { isAnswered, isUnknown, type Evidence, type Outcome, type ProgramRun } from './evidence.ts';
import { isDead, isMade, paymentsOf, writesIn } from './writes.ts';

/** What a run of the program says about an invoice. */
export interface Claim {
  invoiceId: string;
  /** The number of the run, from 1. */
  run: number;
  outcome: Outcome;
  /** Whether the exit status says it, for lack of a result file: status 0 says paid, any other unknown. */
  byStatus: boolean;
  /** The invoices that the statement is about: an exit status says that all of them are paid, or that not all are known to be. */
  about: readonly string[];
  /** When the run that says it began, and when it ended (ms since the epoch). */
  since: number;
  at: number;
  /** The evidence as it was before the next run began: what that one does neither tells nor changes what this one says. */
  known: Evidence;
}

/** Returns what a run says; an invoice that its file does not list is unknown. One that was ended from outside, or whose result file cannot be read, says nothing. */
export function claimsIn(evidence: Evidence, run: ProgramRun): Claim[] {
  const { ended, result, exitStatus, asked, startedAt: since, endedAt: at } = run;
  if (ended !== 'itself' || typeof result === 'string') return [];
  const known = knownAfter(evidence, run);
  const byStatus = result === undefined;
  const said = byStatus && exitStatus === 0 ? 'paid' : 'unknown';
  const number = evidence.runs.indexOf(run) + 1;
  return asked.map((invoiceId) => {
    const about = byStatus ? asked : [invoiceId];
    return { invoiceId, run: number, outcome: result?.[invoiceId] ?? said, byStatus, about, since, at, known };
  });
}

/** Returns batches as they were at a time: a payment that came back later was completed. */
const batchesAt = (batches: Evidence['batches'], time: number): Evidence['batches'] =>
  batches.map((batch) => ({
    ...batch,
    payments: batch.payments.map((payment) => {
      const { returned, ...before } = payment;
      return returned && Date.parse(returned.at) > time ? { ...before, status: 'Completed' } : payment;
    }),
  }));

/** Returns the evidence as it was before the first run that began after this one. */
function knownAfter({ runs, calls, batches, ...more }: Evidence, { endedAt }: ProgramRun): Evidence {
  const next = Math.min(...runs.flatMap(({ startedAt }) => (startedAt >= endedAt ? startedAt : [])));
  return {
    ...more,
    runs: runs.filter(({ startedAt }) => startedAt < next),
    calls: calls.filter(({ at }) => at < next),
    batches: batchesAt(
      batches.filter(({ at }) => at < next),
      endedAt,
    ),
  };
}

/** Returns what all runs say. */
export const programClaims = (evidence: Evidence): Claim[] => evidence.runs.flatMap((run) => claimsIn(evidence, run));

/** The outcome of an invoice at the service; `pending` if its batch has not ended. */
export function truthOf(evidence: Evidence, invoiceId: string): Outcome | 'pending' {
  const payments = paymentsOf(evidence, invoiceId);
  if (payments.some(({ status, returned }) => isMade(status) && !returned)) return 'paid';
  if (payments.some(({ returned }) => returned)) return 'returned';
  return payments.every(({ status }) => isDead(status)) ? 'failed' : 'pending';
}

/** Returns the statuses that an answer about a batch shows, of the batch and of its payments. */
function statusesIn({ reading }: Evidence, call: RecordedCall): string[] {
  if (reading) return reading.statusesIn(call);
  const { body } = call.response;
  const value = jsonIn(body);
  const data = isObject(value) && isObject(value['data']) ? value['data'] : {};
  const payments = Array.isArray(data['payments']) ? data['payments'] : [];
  return [data, ...payments].flatMap((each) =>
    isObject(each) && typeof each['status'] === 'string' ? [each['status']] : [],
  );
}

/** Whether a call reads a batch; at another service, also the answer to a write can tell what became of it. */
export const isAbout = ({ reading }: Evidence, call: RecordedCall, batchId: string): boolean =>
  reading ? reading.batchIn(call) === batchId : call.operation === 'batch' && call.path.endsWith(batchId);

/** Returns the answered readings of the batches that pay an invoice, until a time. */
const readingsOf = (evidence: Evidence, invoiceId: string, until: number): RecordedCall[] => {
  const batches = paymentsOf(evidence, invoiceId).map(({ batchId }) => batchId);
  return evidence.calls.filter(
    (call) => call.at <= until && isAnswered(call) && batches.some((batchId) => isAbout(evidence, call, batchId)),
  );
};

/** Faults of webhooks that tell a program nothing, because their service has not signed them so. */
const forged: readonly string[] = ['badSignature', 'alteredBody', 'oldTimestamp', 'futureTimestamp', 'noSignature'];

/** Returns the deliveries of genuine webhooks that the program has answered with 2xx until a time. */
const acknowledged = ({ webhooks }: Evidence, until: number) =>
  webhooks
    .filter(({ fault = '' }) => !forged.includes(fault))
    .flatMap(({ deliveries }) => deliveries)
    .filter(({ at, status }) => at <= until && status >= 200 && status < 300);

/**
 * Whether a program could know, when it said so, that an invoice is paid: it had read a status by which a payment is made,
 * or a webhook had told it one.
 */
export const couldKnowPaid = ({ invoiceId, at, known }: Claim): boolean =>
  readingsOf(known, invoiceId, at).some((call) => statusesIn(known, call).some(isMade)) ||
  acknowledged(known, at).some(({ body }) => /"(?:completed|paymentfileavailable|partiallycompleted)"/i.test(body));

/** Returns the ids of the payments that a body, of a reading or of a webhook, says to have come back. */
export function returnedIn(body: string): unknown[] {
  const value = jsonIn(body);
  const data = isObject(value) && isObject(value['data']) ? value['data'] : {};
  const payments: unknown[] = Array.isArray(data['payments']) ? data['payments'] : [];
  return payments.flatMap((each) => (isObject(each) && each['status'] === returnedStatus ? [each['paymentId']] : []));
}

/**
 * Whether a program could know, when it said something, that what was paid of an invoice came back: it had read so, or a
 * webhook had told it.
 */
export function couldKnowReturned({ invoiceId, at, known }: Claim): boolean {
  const told = [...readingsOf(known, invoiceId, at).map(({ response }) => response), ...acknowledged(known, at)];
  const ids = told.flatMap(({ body }) => returnedIn(body));
  return paymentsOf(known, invoiceId).every(({ paymentId, returned }) => !returned || ids.includes(paymentId));
}

/** Faults by which a reading shows another status than the batch has. */
const disguised: readonly string[] = ['unknownStatus', 'changed'];

/** Whether the run that says something has read the final status of each payment of an invoice. */
function hasReadTheEnd({ since, at, known }: Claim, invoiceId: string): boolean {
  const payments = paymentsOf(known, invoiceId);
  return (
    truthOf(known, invoiceId) !== 'pending' &&
    payments.length > 0 &&
    // What came back may be for a person to look at.
    payments.every(({ returned }) => !returned) &&
    payments.every(({ batchId, status }) => {
      const last = readingsOf(known, invoiceId, at).findLast(
        (call) => call.at >= since && isAbout(known, call, batchId),
      );
      return last !== undefined && !disguised.includes(last.fault ?? '') && statusesIn(known, last).includes(status);
    })
  );
}

/**
 * Whether a program says unknown although it has read the outcome: of the invoice, or where an exit status says it, of all
 * invoices, and all are paid. What the service knows and the program has not read does not count: reading is optional.
 */
export const isNeedlesslyUnknown = (claim: Claim): boolean =>
  claim.outcome === 'unknown' &&
  claim.about.every((id) => hasReadTheEnd(claim, id) && (!claim.byStatus || truthOf(claim.known, id) === 'paid'));

/** Whether a claim differs from the outcome at the service, as far as the program has read it. */
export const isMisjudged = (claim: Claim): boolean =>
  claim.outcome === 'unknown' ? isNeedlesslyUnknown(claim) : claim.outcome !== truthOf(claim.known, claim.invoiceId);

/**
 * Whether the program could not know the outcome of an invoice: it sent writes for it, received no response that says
 * whether one took effect, and learned nothing of a batch that pays it, by reading or by a webhook.
 */
export function isUnknowable(evidence: Evidence, invoiceId: string): boolean {
  const writes = writesIn(evidence, evidence.calls).filter(({ items }) => items.includes(invoiceId));
  if (writes.length === 0 || !writes.every(({ call }) => isUnknown(call))) return false;
  const batches = paymentsOf(evidence, invoiceId).map(({ batchId }) => batchId);
  const isRead = evidence.calls.some((call) => isAnswered(call) && batches.some((id) => isAbout(evidence, call, id)));
  const isTold = evidence.webhooks.some(({ deliveries }) =>
    deliveries.some(({ status, body }) => status >= 200 && status < 300 && batches.some((id) => body.includes(id))),
  );
  return !isRead && !isTold;
}
