import { calls } from '#contract/calls.ts';
import type { CallName } from '#contract/calls.ts';
import { companyHeader } from '#contract/constants.ts';
import { own } from '#contract/member.ts';
import { operationAt, serviceCall, type ServiceOperation } from '#contract/serviceCalls.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { faultOf } from './timeline.ts';
import { pathnameOf } from './url.ts';

/** The idempotency key under which a call is repeated: its own, or a new one, which makes it a new request. */
export type AgainKey = 'same' | 'new';

/** A recorded call of the page to be sent again. `isLive`: whether it may move money. */
export interface Repeat {
  call: TimelineEntry;
  key: AgainKey;
  isLive: boolean;
}

/**
 * Writes without an idempotency key that may be repeated: queries, and a call that sets values, which is idempotent.
 */
const withoutKey: readonly string[] = ['queryDebtors', 'queryCreditors', 'patchSubscription'] satisfies CallName[];

const isCall = (name: string): name is CallName => own(calls, name);

/** Whether a call only reads and may be repeated at any time. */
export const onlyReads = ({ name }: Pick<TimelineEntry, 'name'>): boolean =>
  isCall(name) && calls[name].method === 'GET';

/**
 * The page's call that an entry belongs to; undefined if it has none: most webhooks, and the calls of programs, which
 * choose their own interaction ids.
 */
export function callOf(entry: TimelineEntry, entries: readonly TimelineEntry[]): TimelineEntry | undefined {
  if (entry.kind === 'call') return entry;
  if (entry.kind === 'program') return undefined;
  const at = Date.parse(entry.at);
  const joined = entries.filter(({ kind, interactionId }) => kind === 'call' && interactionId === entry.interactionId);
  const around = joined.find((call) => Date.parse(call.at) <= at && at <= Date.parse(call.at) + call.ms);
  return around ?? joined.at(-1);
}

/** Why an entry that belongs to no call of the page cannot be sent again. */
export const lackOfCall = ({ kind }: Pick<TimelineEntry, 'kind'>): string =>
  kind === 'program'
    ? 'Only calls made by this console can be resent.'
    : 'No stored call of this console belongs to it.';

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/**
 * Returns why a recorded call may not be repeated under this key; '' if it may. Repeating a completed write under its
 * own key returns its first answer and sends nothing. A batch that was not created is sent again only from its own
 * page, which has a review.
 */
export function notAgain({ call: { kind, name, status, url, request }, key, isLive }: Repeat): string {
  if (kind !== 'call') return 'Webhooks are sent, and sent again, by the service.';
  if (!isCall(name)) return 'The console no longer has this call.';
  const named = [url, request.headers['idempotency-key'], request.headers[companyHeader]];
  if (request.secretAs || named.some((each) => each?.includes('$TOKEN')))
    return 'It held a secret, which is not recorded.';
  if (request.bytes !== bytesOf(request.body)) return 'Only part of its body was recorded.';
  if (!request.headers[companyHeader]) return 'It does not name its company.';
  if (onlyReads({ name })) return key === 'same' ? '' : 'A read has no idempotency key.';
  const isWrite = 'write' in calls[name];
  if (!isWrite && !withoutKey.includes(name)) return 'It changes data of the console: do that on its page.';
  if (key === 'new')
    return isLive ? 'A new key makes another request, which can be sent from here only to the sandbox.' : '';
  if (!isWrite) return 'It has no idempotency key.';
  if (!request.headers['idempotency-key']) return 'It was sent without an idempotency key.';
  if (status === 200) return '';
  if (name === 'createBatch') return 'It did not succeed: pay on its page, where the payment is reviewed.';
  return isLive ? 'It did not succeed: do it again on its page.' : '';
}

/** Calls that write at the service, and can be repeated by a test in a sandbox. */
const isWritten = (operation: ServiceOperation): boolean =>
  !['accessToken', 'authorize'].includes(operation) && serviceCall(operation).methods.some((each) => each !== 'GET');

/** The call of the service that a test would repeat; undefined if the entry is none, or only reads. */
export function testedCall({ kind, method, url }: Pick<TimelineEntry, 'kind' | 'method' | 'url'>) {
  if (kind !== 'service' && kind !== 'program') return undefined;
  const operation = operationAt(method, pathnameOf(url));
  return operation && isWritten(operation) ? operation : undefined;
}

/** Refusals that follow from what was sent, and not from what else the sandbox had. */
const ofContent: readonly number[] = [400, 404, 422];

/**
 * Returns why a test in a new sandbox would not repeat what became of a recorded write; '' if it would: what its body, or a fault
 * of the lab, has caused.
 */
export function notTested(entry: TimelineEntry, isLive: boolean): string {
  const { status, request } = entry;
  if (isLive) return 'It was sent to a live service, whose records no sandbox has.';
  if (request.truncated || request.secretAs) return 'Its body was not recorded as it was sent.';
  if (faultOf(entry) !== '' || (status >= 200 && status < 300) || ofContent.includes(status)) return '';
  return status === 0
    ? 'It had no response, and no fault of the lab was the cause.'
    : `Neither its body nor a fault of the lab caused the status ${status}.`;
}
