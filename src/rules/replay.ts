import { calls } from '#contract/calls.ts';
import type { CallName } from '#contract/calls.ts';
import { companyHeader } from '#contract/constants.ts';
import { own } from '#contract/member.ts';
import type { TimelineEntry } from '#contract/timeline.ts';

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
