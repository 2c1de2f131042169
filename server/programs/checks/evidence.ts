import { isObject, jsonIn } from '#contract/json.ts';
import type { FaultRule } from '#server/sandbox/faultRules.ts';
import type {
  RecordedBatch,
  RecordedCall,
  RecordedDelivery,
  RecordedPayment,
  RecordedWebhook,
} from '#server/sandbox/recorded.ts';

/** What a program says about an invoice at its end. */
export const outcomes = ['paid', 'returned', 'failed', 'unknown'] as const;
export type Outcome = (typeof outcomes)[number];

/** An invoice that the program was asked to pay; each has a creditor and an amount of its own. */
export interface Invoice {
  id: string;
  creditorId: string;
  creditorName: string;
  /** A decimal text, such as `120.50`. */
  amount: string;
  currency: string;
  /** What the creditor recognises the payment by; not the id. */
  reference: string;
  /** The invoice whose payment came back, and that this one pays once more; absent otherwise. */
  replaces?: string;
  /** The account in a bank file; absent where none is paid to. */
  account?: string;
}

/** One run of the program. Times in ms since the epoch, by the machine's clock. */
export interface ProgramRun {
  startedAt: number;
  endedAt: number;
  /** null if a signal ended it. */
  exitStatus: number | null;
  /** What ended it: the program itself, the scenario (killed on purpose), or the time limit. */
  ended: 'itself' | 'killed' | 'limit';
  /** The ids of the invoices that this run was asked to pay. */
  asked: readonly string[];
  /** The outcomes in its result file, by invoice; a sentence if the file is not as documented; absent without a file. */
  result?: Readonly<Record<string, Outcome>> | string;
}

/** A request to an address that is not the service's. */
export interface StrayCall {
  method: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
}

/** What a program asks to be paid. Texts are '' where the protocol has no such member. */
export type AskedPayment = Pick<RecordedPayment, 'amount' | 'currency' | 'creditorId' | 'reference'>;

/** A payment in the body of a call, as the service received it; without a member that it does not have. */
export interface SentPayment extends AskedPayment {
  names?: readonly string[];
  account?: string;
}

/** How the calls of a service with another protocol are read (docs/verify.md, "Another service"). */
export interface ServiceReading {
  /** The name of the header of the idempotency key, in lower case. */
  keyHeader: string;
  /** Names of headers by which a caller shows who it is, in lower case. */
  credentialHeaders: readonly string[];
  paymentsIn: (call: RecordedCall, invoices: readonly Invoice[]) => AskedPayment[];
  /** Returns the statuses in an answer, in the words of the sandbox. */
  statusesIn: (call: RecordedCall) => string[];
  /** Returns the id of the batch that an answer is about; '' if it is about none. */
  batchIn: (call: RecordedCall) => string;
  tokenIn: (call: RecordedCall) => string;
}

/** A delivery of a webhook, as it is judged. */
export interface SeenDelivery extends RecordedDelivery {
  /** Whether the program took it, and closed the connection without an answer. */
  isClosed?: boolean;
}

/** Whether the program took a delivery, also if it ended, or closed the connection, before it answered. */
export const isTaken = ({ status, outcome }: SeenDelivery): boolean =>
  status !== 0 || /^(the connection was closed without an answer|no answer within )/.test(outcome);

/** A webhook, as it is judged. */
export interface SeenWebhook extends RecordedWebhook {
  deliveries: readonly SeenDelivery[];
}

/** Everything that is known about a program's behaviour in one situation. The checks read nothing else. */
export interface Evidence {
  /** The id of the scenario; '' if the program runs by itself, as on the page "Your program". */
  scenario: string;
  calls: readonly RecordedCall[];
  webhooks: readonly SeenWebhook[];
  batches: readonly RecordedBatch[];
  /** Empty if unknown. */
  invoices: readonly Invoice[];
  /** Empty if unknown: all calls then count as those of one run. */
  runs: readonly ProgramRun[];
  /** The requests that came to an address to which the service had redirected the program. */
  redirected: readonly StrayCall[];
  /** Keys that must not appear in an address or in what the program prints. */
  secrets: readonly string[];
  /** What each run has printed, as far as it is kept; absent where nobody hears it. */
  outputs?: readonly string[];
  /** Whether the program pays all invoices when nothing fails; otherwise its result shows nothing about a failure. */
  works: boolean;
  /** Absent for the sandbox's protocol. What such a service knows is known as far as its answers tell it. */
  reading?: ServiceReading;
}

/** What shows a mistake: a sentence, and the numbers of the calls that it is about. */
export interface Finding {
  says: string;
  calls: readonly number[];
  /** How to mend this, where the check's own advice is for another cause. */
  mend?: string;
}

export type Verdict =
  | { verdict: 'passed' }
  | { verdict: 'failed'; seen: readonly Finding[] }
  /** The situation of the check did not arise; or it cannot be judged, with the reason. */
  | { verdict: 'not exercised'; because?: string };

type Group = 'Requests' | 'Writes' | 'Webhooks' | 'Reading' | 'Truth';

/** A fault rule of the lab that exercises a check. */
export type Exercise = FaultRule & { of: string; times: number };

export interface Check {
  id: string;
  group: Group;
  title: string;
  /** Why it matters, in a sentence. */
  why: string;
  /** How to mend a program that fails it. */
  mend: string;
  /** The fault with which a program at the console's sandbox exercises it; absent if it needs none, or `verify`. */
  exercise?: Exercise;
  judge: (evidence: Evidence) => Verdict;
}

export const notExercised: Verdict = { verdict: 'not exercised' };

/** Returns `failed` with the findings, `passed` without any, `not exercised` if the situation did not arise. */
export function checkResult(arose: boolean, seen: readonly Finding[]): Verdict {
  if (seen.length > 0) return { verdict: 'failed', seen };
  return arose ? { verdict: 'passed' } : notExercised;
}

/** Returns a finding about these calls. */
export const finding = (says: string, ...calls: readonly RecordedCall[]): Finding => ({
  says,
  calls: calls.map(({ number }) => number),
});

/** Whether two runs were in progress at the same time, so that a call cannot be attributed to one of them. */
export const overlap = ({ runs }: Pick<Evidence, 'runs'>): boolean =>
  runs.some((one, index) => runs.slice(index + 1).some((other) => other.startedAt < one.endedAt));

/**
 * Returns the calls of each run, oldest first; calls without a run are left out. Without runs, all calls are one run's.
 * Empty if runs overlap.
 */
export function callsByRun({ calls, runs }: Evidence): RecordedCall[][] {
  const sorted = [...calls].sort((a, b) => a.number - b.number);
  if (runs.length === 0) return [sorted];
  if (overlap({ runs })) return [];
  return runs.map(({ startedAt, endedAt }) => sorted.filter(({ at }) => at >= startedAt && at <= endedAt));
}

/** When a call's response had ended, or its connection was closed. */
export const endOf = ({ at, ms }: Pick<RecordedCall, 'at' | 'ms'>): number => at + ms;

/** What tells whether a response was whole. */
type Received = Pick<RecordedCall, 'status' | 'fault' | 'response'>;

/** Faults after which no response is whole. */
const broken: readonly string[] = ['truncated', 'noBody', 'html'];

/** Faults of a call that the program gives up waiting for. */
export const slow: readonly string[] = ['latency', 'noAnswer', 'noBody', 'slow'];

/** Whether the program received a whole response of the service, and no part of one nor a page. */
export const isWhole = ({ fault = '', response }: Received): boolean =>
  !broken.includes(fault) && (fault !== 'changed' || isObject(jsonIn(response.body)));

/** Whether the program received a complete successful response. */
export const isAnswered = (call: Received): boolean => call.status >= 200 && call.status < 300 && isWhole(call);

const refusals = [429, 503];

/**
 * Whether a program cannot know if a write took effect: it received no response, a part of one, or an error of the
 * server. The statuses 429 and 503 say that the service did not accept the call.
 */
export const isUnknown = (call: Received): boolean =>
  call.status === 0 ||
  call.status === 408 ||
  (call.status >= 500 && !refusals.includes(call.status)) ||
  (call.status < 300 && !isAnswered(call));
