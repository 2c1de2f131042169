import { randomInt } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { setImmediate as othersTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { TimelineEntry } from '#contract/timeline.ts';
import type { Clock } from '#server/clock.ts';
import type { Storage } from '#server/storage/open.ts';
import type { NewEntry } from '#server/storage/timeline.ts';
import { evidenceAbout, evidenceRecords, isRead, keepEvidence } from './evidence.ts';

/** An entry without its id. */
type Unnumbered = Omit<TimelineEntry, 'id'>;
/** Creates an entry; called only when the entry is written. */
type Pending = () => Unnumbered;

/** The recorded calls, requests and webhooks of one workspace. */
export interface Timeline {
  /** False if the timeline is switched off. */
  readonly isKept: boolean;
  /**
   * Adds an entry. It is written within 200 ms; the oldest are dropped if more than the maximum number of entries follow
   * before that. Never throws, so that an error here does not fail what is recorded.
   */
  add(pending: Pending): void;
  /** Resolves with all entries, oldest first, after writing the pending ones. */
  list(): Promise<readonly TimelineEntry[]>;
  /** Resolves with the entries that are kept about a record or interaction, oldest first (evidence.ts). */
  about(id: string): Promise<readonly TimelineEntry[]>;
  /**
   * Calls `hear` with new entries in batches, and `end` when the timeline closes or entries may have been missed. Returns
   * a function that unsubscribes.
   */
  follow(hear: (entries: readonly TimelineEntry[]) => void, end: () => void): () => void;
}

/** The timelines of all workspaces. */
export interface Timelines {
  of(workspace: string): Timeline;
  /** Writes all pending entries. */
  flush(): Promise<void>;
  /** Calls `end` of all followers. */
  endFollowing(): void;
}

/** Limits per workspace: total length of the entries' texts in characters, and age in ms. */
const timelineLimits = { length: 8 * 1024 * 1024, age: 7 * 24 * 60 * 60_000 } as const;
export const defaultEntries = 1000;
/** Number of the latest entries that stay even if they only read, so that a page sees what it has just done. */
const latestEntries = 200;

/** Time (ms) for which entries are collected before they are written. */
const writeDelay = 200;
/** Number of entries that are made and written without yielding: about a millisecond of work. */
const batchSize = 25;
/** Number of ids named in one notification; PostgreSQL limits its length. */
const idsPerNotification = 200;

const lengthOf = ({ request, response, baseString, url }: Unnumbered): number =>
  request.body.length + response.body.length + baseString.length + url.length + 500;

const topicOf = (workspace: string): string => `timeline ${workspace}`;
const byId = (one: TimelineEntry, other: TimelineEntry): number => Number(one.id) - Number(other.id);

interface Deps {
  storage: Pick<Storage, 'timeline' | 'records' | 'publish' | 'subscribe' | 'isShared'>;
  clock: Clock;
  log: Logger;
  /** Maximum number of entries per workspace; 0 disables the timeline. */
  entries?: number;
}

export function createTimelines({ storage, clock, log, entries = defaultEntries }: Deps): Timelines {
  const stored = storage.timeline<Unnumbered>();
  const pending = new Map<string, Pending[]>();
  /** The followers of each workspace. */
  const followers = new Map<string, EventEmitter>();
  let timer: unknown;
  let writing = Promise.resolve();
  let last = 0;

  /**
   * Numbers an entry by the time, later than all before. Servers that number in the same millisecond rarely choose the
   * same number; `append` then stores one of them.
   */
  function nextId(): string {
    const from = clock.now() * 1000 + (storage.isShared ? randomInt(500) : 0);
    last = Math.max(last + 1, from);
    return String(last);
  }

  const evidenceOf = (workspace: string) => storage.records(evidenceRecords, { workspace, company: '' });

  async function append(workspace: string, newEntries: readonly Unnumbered[]): Promise<string[]> {
    const ids: string[] = [];
    const added: TimelineEntry[] = [];
    for (let waiting = newEntries; waiting.length > 0;) {
      const numbered = waiting.map((value): NewEntry<Unnumbered> => ({
        ...{ id: nextId(), at: Date.parse(value.at), length: lengthOf(value), isRead: isRead(value) },
        value,
      }));
      const found = new Set(await stored.append(workspace, numbered));
      ids.push(...found);
      added.push(...numbered.flatMap(({ id, value }) => (found.has(id) ? [{ id, ...value }] : [])));
      waiting = numbered.flatMap(({ id, value }) => (found.has(id) ? [] : [value]));
    }
    await keepEvidence(evidenceOf(workspace), added);
    return ids;
  }

  function madeFrom(waiting: readonly Pending[]): Unnumbered[] {
    return waiting.flatMap((make) => {
      try {
        return [make()];
      } catch (error) {
        log.error({ err: error }, 'an entry of the timeline could not be made');
        return [];
      }
    });
  }

  async function write(workspace: string, waiting: readonly Pending[]): Promise<void> {
    // The clock may have been set back since the latest entry.
    const [latest] = await stored.latest(workspace, 1);
    last = Math.max(last, Number(latest?.id ?? 0));
    const ids: string[] = [];
    for (let from = 0; from < waiting.length; from += batchSize) {
      if (from > 0) await othersTurn();
      ids.push(...(await append(workspace, madeFrom(waiting.slice(from, from + batchSize)))));
    }
    if (ids.length === 0) return;
    await stored.prune(workspace, {
      entries,
      latest: Math.min(latestEntries, Math.floor(entries / 5)),
      length: timelineLimits.length,
      since: clock.now() - timelineLimits.age,
    });
    for (let from = 0; from < ids.length; from += idsPerNotification)
      await storage.publish(topicOf(workspace), ids.slice(from, from + idsPerNotification).join(' '));
  }

  async function writeAll(): Promise<void> {
    const all = [...pending];
    pending.clear();
    for (const [workspace, waiting] of all)
      await write(workspace, waiting).catch((error: unknown) => log.error({ err: error }, 'the timeline was not kept'));
  }

  function flush(): Promise<void> {
    if (timer !== undefined) clock.clearTimeout(timer);
    timer = undefined;
    writing = writing.then(writeAll);
    return writing;
  }

  function add(workspace: string, entry: Pending): void {
    const waiting = pending.get(workspace) ?? [];
    waiting.push(entry);
    // The oldest would be removed as soon as they were written.
    pending.set(workspace, waiting.length > 2 * entries ? waiting.slice(-entries) : waiting);
    timer ??= clock.setTimeout(() => void flush(), writeDelay);
  }

  const entriesOf = (found: readonly { id: string; value: Unnumbered }[]): TimelineEntry[] =>
    found.map(({ id, value }) => ({ id, ...value })).sort(byId);

  /** Subscribes to the entries of a workspace once for all its followers. */
  function followersOf(workspace: string): EventEmitter {
    const known = followers.get(workspace);
    if (known) return known;
    const emitter = new EventEmitter().setMaxListeners(0);
    let reading = Promise.resolve();
    const unsubscribe = storage.subscribe(topicOf(workspace), (message) => {
      if ('gap' in message) return void emitter.emit('end');
      reading = reading
        .then(async () => void emitter.emit('entries', entriesOf(await stored.some(workspace, message.id.split(' ')))))
        .catch((error: unknown) => {
          log.error({ err: error }, 'the timeline could not be read');
          emitter.emit('end');
        });
    });
    emitter.on('removeListener', () => {
      if (emitter.listenerCount('entries') > 0 || followers.get(workspace) !== emitter) return;
      unsubscribe();
      followers.delete(workspace);
    });
    followers.set(workspace, emitter);
    return emitter;
  }

  return {
    of: (workspace) => ({
      isKept: entries > 0,
      add: (entry) => entries > 0 && add(workspace, entry),
      async list() {
        await flush();
        return entriesOf(await stored.latest(workspace, entries));
      },
      async about(id) {
        await flush();
        return evidenceAbout(evidenceOf(workspace), id);
      },
      follow(hear, end) {
        const emitter = followersOf(workspace).on('entries', hear).on('end', end);
        return () => void emitter.off('end', end).off('entries', hear);
      },
    }),
    flush,
    endFollowing() {
      for (const emitter of followers.values()) emitter.emit('end');
    },
  };
}
