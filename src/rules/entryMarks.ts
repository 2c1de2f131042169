import { isObject, jsonIn } from '#contract/json.ts';
import { returnedStatus } from '#contract/returns.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { afterPaid, isReturned } from './afterPaid.ts';
import { faultTitle } from './lab.ts';
import { late, paymentsIn } from './late.ts';
import { textAt } from './path.ts';
import { faultOf } from './timeline.ts';
import { wholeEntries } from './wholeEntries.ts';

/** What marks an entry of the timeline: in a word, and in a sentence without its full stop. */
export interface EntryMark {
  word: string;
  says: string;
  tone: 'waiting' | 'next' | 'idle' | 'back';
}

/** The bodies in which an entry may tell of payments: the events of a webhook, or the answer of the service. */
function bodiesIn({ kind, request, response }: Pick<TimelineEntry, 'kind' | 'request' | 'response'>): unknown[] {
  if (kind === 'call') return [];
  const { body, truncated } = kind === 'webhook' ? request : response;
  // Most entries tell of none, and need not be parsed.
  if (!/returned/i.test(body)) return [];
  const said = jsonIn(truncated ? wholeEntries(body) : body);
  const events = isObject(said) && Array.isArray(said['events']) ? said['events'] : said;
  return Array.isArray(events) ? events : [events];
}

/** The payments that an entry tells to have come back: each with its id, and why, how much and when in a sentence. */
export const returnsIn = (entry: TimelineEntry): { paymentId: string; says: string }[] =>
  bodiesIn(entry).flatMap((body) =>
    (isObject(body) ? paymentsIn({ data: body['data'] ?? {} }) : []).flatMap((payment) =>
      isObject(payment) && isReturned(payment)
        ? [{ paymentId: textAt(payment, 'paymentId'), says: afterPaid(payment) }]
        : [],
    ),
  );

/** Several returns in one sentence: the first, and how many more. */
export const saidOf = ([first, ...more]: readonly { says: string }[]): string =>
  [first?.says, more.length > 0 && `and ${more.length} more`].filter(Boolean).join(', ');

/** The marks of an entry; `isRetry`: its idempotency key was sent before. */
export function marksOf(entry: TimelineEntry, isRetry = false): EntryMark[] {
  const [fault, returns] = [faultOf(entry), returnsIn(entry)];
  return [
    ...(fault ? [{ word: faultTitle(fault), says: 'Injected by the fault lab', tone: 'waiting' } as const] : []),
    ...(isRetry ? [{ word: 'Retry', says: 'Sent before with the same idempotency key', tone: 'next' } as const] : []),
    ...(entry.late ? [{ ...late, tone: 'idle' } as const] : []),
    ...(returns.length > 0 && !entry.late
      ? [{ word: returnedStatus, says: saidOf(returns), tone: 'back' } as const]
      : []),
  ];
}
