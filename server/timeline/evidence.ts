import { operationAt } from '#contract/serviceCalls.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { pathnameOf } from '#rules/url.ts';
import type { RecordKind, Records } from '#server/storage/records.ts';

/**
 * The writes to the service and the webhooks about a record are kept with the record, so that they outlast the
 * timeline, which drops its oldest entries. Each is stored under the ids of the records that it is about, and under the
 * interaction id of the write.
 */
interface Evidence {
  /** The id that the entry is about. */
  about: string;
  entry: TimelineEntry;
}

export const evidenceRecords: RecordKind<Evidence> = {
  kind: 'evidence',
  isOfWorkspace: true,
  columns: { subject: ({ about }) => about },
};

/** Maximum number of entries about one record, of which the first ones are kept, and of all. */
const [mostAboutOne, firstAboutOne, mostOfAll] = [100, 50, 3000];
/** Maximum number of ids of one entry. */
const mostIds = 8;

/** What an entry is about, as far as its place in the timeline depends on it. */
type What = Pick<TimelineEntry, 'kind' | 'method' | 'url' | 'status'>;

const isToken = ({ method, url }: Pick<What, 'method' | 'url'>): boolean =>
  operationAt(method, pathnameOf(url)) === 'accessToken';

/** Whether an entry only reads: a call of a page, or a request made for one. They are dropped first. */
export const isRead = (entry: Omit<What, 'status'>): boolean =>
  (entry.kind === 'call' || entry.kind === 'service') && (entry.method === 'GET' || isToken(entry));

/** Whether an entry may be kept with a record: a write, whatever became of it, or an accepted webhook. */
export const mayBeEvidence = (entry: What): boolean =>
  entry.kind === 'webhook' ? entry.status >= 200 && entry.status < 300 : entry.kind === 'service' && !isRead(entry);

/** How much the timeline holds on to an entry: it drops reads before other calls, and evidence only once it is kept. */
export type Weight = 'read' | 'call' | 'evidence';

export const weightOf = (entry: What): Weight => (mayBeEvidence(entry) ? 'evidence' : isRead(entry) ? 'read' : 'call');

const named = /"(?:(?:batch|subscription|debtor|creditor|organisation|company)Id|id)"\s*:\s*"([^"\\]{1,200})"/g;
const idsIn = (text: string): string[] => [...text.matchAll(named)].map(([, id]) => id ?? '');

/** The ids that a path ends with, as in `/v3/subscriptions/{id}`. */
const idsInPath = (url: string): string[] =>
  pathnameOf(url)
    .split('/')
    .filter((part) => /^[\da-f]{8}-[\da-f-]{27}$/i.test(part));

/** The ids under which an entry is kept; none if it cannot be evidence. */
function subjectsOf(entry: TimelineEntry): string[] {
  if (!mayBeEvidence(entry)) return [];
  const { kind, url, interactionId, answers, request, response } = entry;
  // The answer before the request: it names what was created. A batch names many creditors.
  const ofWrite = kind === 'service' ? [...idsInPath(url), ...idsIn(response.body)] : [];
  return [...new Set([answers, interactionId, ...ofWrite, ...idsIn(request.body)])].filter(Boolean).slice(0, mostIds);
}

/** Keeps the entries that are about records; of webhooks only those about what a kept write is about. */
export async function keepEvidence(records: Records<Evidence>, entries: readonly TimelineEntry[]): Promise<void> {
  const found = entries.flatMap((entry) => subjectsOf(entry).map((about): Evidence => ({ about, entry })));
  if (found.length === 0) return;
  const counts = await records.countBySubject([...new Set(found.map(({ about }) => about))]);
  const written = new Set(found.flatMap(({ about, entry }) => (entry.kind === 'service' ? [about] : [])));
  const kept = found.filter(({ about }) => written.has(about) || (counts.get(about) ?? 0) > 0);
  if (kept.length === 0) return;
  await records.putAll(kept.map((each) => [keyOf(each), each] as const));
  for (const about of new Set(kept.map((each) => each.about)))
    if ((counts.get(about) ?? 0) + kept.length > mostAboutOne) await trim(records, about);
  await records.removeAll(await records.beyond(mostOfAll));
}

const keyOf = ({ about, entry }: Evidence): string => `${about} ${entry.id}`;

/** Removes the entries about a record between its first and its latest ones. */
async function trim(records: Records<Evidence>, about: string): Promise<void> {
  const butLatest = await records.beyond(mostAboutOne - firstAboutOne, { subject: about });
  await records.removeAll(butLatest.slice(firstAboutOne));
}

/** Returns the kept entries about an id, in order. */
export const evidenceAbout = async (records: Records<Evidence>, about: string): Promise<TimelineEntry[]> =>
  (await records.list({ subject: about })).map(({ entry }) => entry);

/** Forgets the kept entries about records that are removed. */
export async function forgetEvidence(records: Records<Evidence>, ids: readonly string[]): Promise<void> {
  for (const about of ids) await records.removeAll((await records.list({ subject: about })).map(keyOf));
}
