import type { TimelineEntry } from '#contract/timeline.ts';
import { header } from '#contract/requests/headers.ts';
import { faultPlaces } from '#contract/faults.ts';
import { jsonIn } from '#contract/json.ts';
import { own } from '#contract/member.ts';
import { operationOf, serviceCalls } from '#contract/serviceCalls.ts';
import { textAt } from '#rules/path.ts';
import { pathnameOf } from '#rules/url.ts';
import { marksOf } from '#rules/entryMarks.ts';
import { retriesIn } from '#rules/timeline.ts';
import { addressOf, durationOf, statusOf } from './format.ts';

/** The participants of a sequence, from left to right. */
export const parties = ['Your program', 'Browser', 'Console', 'Service'] as const;
type Party = (typeof parties)[number];

/** One arrow from one participant to another. */
export interface Arrow {
  entry: TimelineEntry;
  from: Party;
  to: Party;
  at: number;
  label: string;
  answer: boolean;
}

const recordNamed = /"(batch|subscription|organisation|company|account|dataSet)Id"\s*:\s*"([\da-f]{8}-[\da-f-]{27})"/;

/** Whether entries of a kind are requests to the service. */
const isRequest = (kind: TimelineEntry['kind']): boolean => kind === 'service' || kind === 'program';

/**
 * The writes to the service that were answered with what an earlier write has made, because it was named before, or because
 * the service says so (wire, section 4): the kind of the record by the id of the entry.
 */
function againIn(entries: readonly TimelineEntry[]): ReadonlyMap<string, string> {
  const [seen, again] = [new Set<string>(), new Map<string, string>()];
  const retries = retriesIn(entries);
  // A webhook that came before the retry of a lost response names what the first request has made.
  const wasNamed = (record: string, before: string) =>
    entries.some(({ kind, at, request }) => kind === 'webhook' && at < before && request.body.includes(record));
  for (const { id, kind, method, at, response } of entries.toSorted((a, b) => Number(a.id) - Number(b.id))) {
    if (!isRequest(kind) || method === 'GET') continue;
    const [, what = 'answer', record = ''] = recordNamed.exec(response.body) ?? [];
    const isReplayed = retries.has(id) && response.headers[header.replayed] === 'true';
    const isKnown = record !== '' && (seen.has(record) || (retries.has(id) && wasNamed(record, at)));
    if (isReplayed || isKnown) again.set(id, what);
    seen.add(record);
  }
  return again;
}

/** Who sends an entry's request to whom. A program's call that the console refuses names no service. */
function endsOf({ kind, url, byProgram }: TimelineEntry): [from: Party, to: Party] {
  if (kind === 'call') return [byProgram ? 'Your program' : 'Browser', 'Console'];
  if (kind === 'webhook') return ['Service', 'Console'];
  return kind === 'service' ? ['Console', 'Service'] : ['Your program', /^https?:/.test(url) ? 'Service' : 'Console'];
}

/** The arrows of an interaction in chronological order. A call that began first and ended last encloses the others. */
export function arrowsOf(entries: readonly TimelineEntry[], polls: ReadonlyMap<string, number> = new Map()): Arrow[] {
  const [retries, again] = [retriesIn(entries), againIn(entries)];
  return entries
    .flatMap((entry): Arrow[] => {
      const began = Date.parse(entry.at);
      const { id, kind, method, ms } = entry;
      const [from, to] = endsOf(entry);
      const repeats = polls.get(id) ?? 1;
      const asked = [
        `${kind === 'webhook' ? 'webhook' : method} ${addressOf(entry)}`,
        ...(repeats > 1 ? [`${repeats} polls`] : []),
        ...marksOf(entry).map(({ word }) => word),
        ...(retries.has(id) ? ['same key'] : []),
      ].join(' · ');
      const answered =
        entry.status === 0
          ? 'no response'
          : `${statusOf(entry)}${ms > 0 ? ` after ${durationOf(ms)}` : ''}${again.has(id) ? ` · same ${again.get(id)}` : ''}`;
      return [
        { entry, from, to, at: began, label: asked, answer: false },
        { entry, from: to, to: from, at: began + ms, label: answered, answer: true },
      ];
    })
    .sort((a, b) => a.at - b.at || Number(a.entry.id) - Number(b.entry.id));
}

const recordId = /"(?:batchId|subscriptionId)"\s*:\s*"([\da-f]{8}-[\da-f-]{27})"/;

/** The id of the record that an interaction has created, which later webhooks and polls name; '' if there is none. */
export function recordOf(own: readonly TimelineEntry[]): string {
  const writes = own.filter(({ kind, method }) => isRequest(kind) && method !== 'GET');
  return writes.flatMap(({ response }) => recordId.exec(response.body)?.[1] ?? []).at(-1) ?? '';
}

/** The id of the record that a webhook is about and that no message awaits, such as a batch; '' of any other entry. */
export const recordTold = ({ kind, answers, request }: TimelineEntry): string =>
  kind === 'webhook' && answers === '' ? textAt(jsonIn(request.body), 'resource.id') : '';

/**
 * The webhooks and polls that follow an interaction: entries about its record, without the page's own calls. Polls
 * without anything in between are one entry, the last one; `polls` has their numbers by its id.
 */
export function withFollowing(
  own: readonly TimelineEntry[],
  about: readonly TimelineEntry[],
): { entries: TimelineEntry[]; polls: Map<string, number> } {
  const [known, began] = [new Set(own.map(({ id }) => id)), Date.parse(own[0]?.at ?? '')];
  const later = about.filter(
    ({ id, kind, method, at }) =>
      !known.has(id) && Date.parse(at) >= began && (kind === 'webhook' || (isRequest(kind) && method === 'GET')),
  );
  const polls = new Map<string, number>();
  const entries: TimelineEntry[] = [];
  for (const entry of [...own, ...later].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))) {
    const last = entries.at(-1);
    const isPoll = !known.has(entry.id) && isRequest(entry.kind);
    if (isPoll && last && !known.has(last.id) && last.kind === entry.kind && last.url === entry.url) {
      polls.set(entry.id, (polls.get(last.id) ?? 1) + 1);
      entries[entries.length - 1] = entry;
    } else entries.push(entry);
  }
  return { entries, polls };
}

/** What a fault can be set for so that it happens to an entry when it is sent again; null if there is nothing. */
export function placeOf(entry: TimelineEntry): { on: 'call' | 'webhook'; of: string } | null {
  const { kind, name } = entry;
  if (kind === 'webhook') return faultPlaces.webhook.some((type) => type === name) ? { on: 'webhook', of: name } : null;
  if (kind !== 'service') return null;
  const of = operationOf(entry.method, pathnameOf(entry.url));
  return of && own(serviceCalls, of) ? { on: 'call', of } : null;
}
