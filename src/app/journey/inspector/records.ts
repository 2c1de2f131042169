import type { AnyMachineSnapshot } from 'xstate';
import type { TimelineEntry } from '#contract/timeline.ts';
import type { JourneyId } from '#machines/journeys.ts';
import { steps } from '#steps/steps.ts';

type Row = Readonly<Record<string, unknown>>;

/** Members that the page adds to a row for its own use. */
const own: readonly string[] = ['rules', 'framed', 'before', 'current', 'elsewhere', 'country', 'unread'];

/** A row's record as the inspector shows it; `value` is null if the list no longer has the row. */
export interface ShownRecord {
  id: string;
  /** The kind of record, for example "Batch". */
  one: string;
  name: string;
  value: Row | null;
}

const textIn = (row: Row | undefined, member: string): string => {
  const value = row?.[member];
  return typeof value === 'string' ? value : '';
};

/** The record of a list's row; null if the page has no such list or no row is chosen. */
export function recordOf(journey: JourneyId, { context }: AnyMachineSnapshot, id: string): ShownRecord | null {
  const list = steps[journey].rows;
  if (!list || id === '') return null;
  const rows = (context as Readonly<Record<string, readonly Row[]>>)[list.member] ?? []; // named for that journey's machine
  const row = rows.find((each) => each[list.id] === id);
  const value = row ? Object.fromEntries(Object.entries(row).filter(([member]) => !own.includes(member))) : null;
  return { id, one: list.kind, name: textIn(row, list.name), value };
}

/** Whether a call is a successful write; a POST of a query only reads. */
const isWrite = ({ kind, method, url, status }: TimelineEntry): boolean =>
  kind === 'service' && method !== 'GET' && status >= 200 && status < 300 && !/queries([?#]|$)/.test(url);

/**
 * The write that created a record, by the interaction id that is stored with the record; undefined without it. A write
 * that only mentions the record may be another one's.
 */
export const makingOf = (entries: readonly TimelineEntry[], createdBy: string): TimelineEntry | undefined =>
  entries
    .filter((entry) => entry.interactionId === createdBy && isWrite(entry))
    .toSorted((a, b) => Number(a.id) - Number(b.id))[0];

/** Maximum number of exchanges in the list of calls. */
const most = 20;

/** The service's exchanges about a record, newest first, including the one that created it. */
export function exchangesAbout(entries: readonly TimelineEntry[], made: TimelineEntry | undefined): TimelineEntry[] {
  const all = entries.filter(({ kind }) => kind === 'service').toSorted((a, b) => Number(b.id) - Number(a.id));
  const latest = all.slice(0, most);
  return made && !latest.includes(made) ? [...latest.slice(0, most - 1), made] : latest;
}
