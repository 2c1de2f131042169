import { faultHeader } from '#contract/constants.ts';
import { header } from '#contract/requests/headers.ts';
import type { Query } from '#contract/shapes.ts';
import type { TimelineEntry } from '#contract/timeline.ts';

/** The filter of the timeline's entries, as in the query of getTimeline. */
export type TimelineFilter = Omit<NonNullable<Query<'getTimeline'>>, 'limit' | 'after'>;

/** The fault with which the sandbox's lab created or changed an entry, and its rule, as its header says; '' if it did not. */
export const faultMarkOf = ({ kind, request, response, fault }: TimelineEntry): string =>
  fault ?? (kind === 'webhook' ? request : response).headers[faultHeader] ?? '';

/** The kind of that fault. */
export const faultOf = (entry: TimelineEntry): string => faultMarkOf(entry).split(';')[0] ?? '';

/** Whether a status matches: `4xx` stands for 400 to 499, 0 for no answer. */
const hasStatus = (status: number, asked: string): boolean =>
  /^\dxx$/.test(asked) ? Math.floor(status / 100) === Number(asked[0]) : status === Number(asked);

const textsOf = ({ name, url, reason, request, response }: TimelineEntry): string[] => [
  name,
  url,
  reason,
  request.body,
  response.body,
];

/** The idempotency key with which the console or a program called the service; '' for none. */
export const keyOf = ({ kind, request: { headers } }: TimelineEntry): string =>
  kind === 'service' || kind === 'program' ? (headers[header.idempotency] ?? '') : '';

/** Whether an entry belongs to an interaction: it has its id, answers its message, or was sent under its key. */
const isOf = (entry: TimelineEntry, interaction: string): boolean =>
  [entry.interactionId, entry.answers, keyOf(entry)].includes(interaction);

/** Whether an entry has a text, in any letters, in one of its texts or as one of its ids. */
const has = (entry: TimelineEntry, text: string): boolean =>
  [entry.id, entry.interactionId, entry.answers, entry.request.headers['webhook-id'] ?? ''].some(
    (id) => id.toLowerCase() === text,
  ) || textsOf(entry).some((each) => each.toLowerCase().includes(text));

/** Whether an entry is a read of the console or of its page that has succeeded, without a fault. */
const isBackgroundRead = (entry: TimelineEntry): boolean =>
  (entry.kind === 'call' || entry.kind === 'service') &&
  (entry.method === 'GET' || entry.method === 'HEAD') &&
  entry.status >= 200 &&
  entry.status < 400 &&
  faultOf(entry) === '';

/** Whether a call got no answer or a refusal, or a webhook was refused or is not the service's. */
export const hasFailed = ({ status, signature }: Pick<TimelineEntry, 'status' | 'signature'>): boolean =>
  status === 0 || status >= 400 || signature === 'invalid';

/** Ids of the entries whose idempotency key an earlier one of them had: the retries. */
export function retriesIn(entries: readonly TimelineEntry[]): ReadonlySet<string> {
  const first = new Map<string, number>();
  for (const entry of entries) {
    const [key, id] = [keyOf(entry), Number(entry.id)];
    if (key !== '') first.set(key, Math.min(id, first.get(key) ?? id));
  }
  const earliest = new Set([...first.values()].map(String));
  return new Set(entries.filter((entry) => keyOf(entry) !== '' && !earliest.has(entry.id)).map(({ id }) => id));
}

/** Returns the entries that match a filter; an absent or empty condition matches all. */
export function matching(entries: readonly TimelineEntry[], filter: TimelineFilter): TimelineEntry[] {
  const { journey, entry: entryId, interaction, name, kind, status, text, reads, failed, from, to } = filter;
  const [begin, end] = [from, to].map((time) => (time ? Date.parse(time) : undefined));
  const sought = text?.toLowerCase();
  const [kinds, names] = [kind, name].map((list) => (list ? list.split(',') : undefined));
  return entries.filter(
    (entry) =>
      (!journey || entry.journey === journey) &&
      (!entryId || entry.id === entryId) &&
      (!interaction || isOf(entry, interaction)) &&
      (!names || names.includes(entry.name)) &&
      (!kinds || kinds.includes(entry.kind)) &&
      (!status || hasStatus(entry.status, status)) &&
      (reads !== 'false' || !isBackgroundRead(entry)) &&
      (!failed || hasFailed(entry)) &&
      (begin === undefined || Date.parse(entry.at) >= begin) &&
      (end === undefined || Date.parse(entry.at) < end) &&
      (!sought || has(entry, sought)),
  );
}
