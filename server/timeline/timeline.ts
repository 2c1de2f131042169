import { othersTurn } from '#server/concurrency.ts';
import { randomInt } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { Logger } from 'pino';
import type { TimelineEntry } from '#contract/timeline.ts';
import type { Clock } from '#server/clock.ts';
import type { Storage } from '#server/storage/open.ts';
import { DatabaseError, isConnectionLost } from '#server/storage/errors.ts';
import type { NewEntry } from '#server/storage/timeline.ts';
import { evidenceAbout, evidenceRecords, isRead, keepEvidence, mayBeEvidence, type Weight } from './evidence.ts';
import { createRing, type Ring } from './ring.ts';
import { ofWorkspace } from '#server/storage/schema.ts';

/** An entry without its id. */
type Unnumbered = Omit<TimelineEntry, 'id'>;
/** Creates an entry; called only when the entry is written. */
type Pending = () => Unnumbered;

/** What waits of one workspace. */
interface Waiting {
  ring: Ring<Pending>;
  /** Stored entries that have yet to be kept with their records. */
  unkept: TimelineEntry[];
}

/** The recorded calls, requests and webhooks of one workspace. */
export interface Timeline {
  /** False if the timeline is switched off. */
  readonly isKept: boolean;
  /**
   * Adds an entry, by default that of a call. It is written within a second, or 200 ms if it may be evidence or a page
   * follows; if the store fails then, with the next entry. Entries that would be deleted as soon as they were written are
   * dropped before that. Never throws, so that an error here does not fail what is recorded.
   */
  add(pending: Pending, weight?: Weight): void;
  /** Resolves with all entries, oldest first, after writing the pending ones. */
  list(): Promise<readonly TimelineEntry[]>;
  /** Resolves with the entries that are kept about a record or interaction, oldest first (evidence.ts). */
  about(id: string): Promise<readonly TimelineEntry[]>;
  /**
   * Calls `onEntries` with new entries in batches, and `onEnd` when the timeline closes or entries may have been missed. Returns
   * a function that unsubscribes.
   */
  subscribe(onEntries: (entries: readonly TimelineEntry[]) => void, onEnd: () => void): () => void;
}

/** The timelines of all workspaces. */
export interface Timelines {
  of(workspace: string): Timeline;
  /** Writes all pending entries. */
  flush(): Promise<void>;
  /** Calls `onEnd` of all subscribers. */
  endSubscriptions(): void;
}

/** Limits per workspace: total length of the entries' texts in characters, and age in ms. */
const timelineLimits = { length: 8 * 1024 * 1024, age: 7 * 24 * 60 * 60_000 } as const;
export const defaultEntries = 1000;
/** Number of the latest entries that stay even if they only read, so that a page sees what it has just done. */
const latestEntries = 200;

/** Time (ms) for which entries are collected before they are written, and less for what somebody waits for or may miss. */
const writeDelay = { usual: 1000, short: 200 } as const;
/** Number of entries that are written in one statement, and the time (ms) for which they are made without yielding. */
const [batchSize, longWork] = [25, 5];
/** Number of ids named in one notification; PostgreSQL limits its length. */
const idsPerNotification = 200;

const lengthOf = ({ request, response, baseString, url }: Unnumbered): number =>
  request.body.length + response.body.length + baseString.length + url.length + 500;

const topicOf = (workspace: string): string => `timeline ${workspace}`;
const byId = (one: TimelineEntry, other: TimelineEntry): number => Number(one.id) - Number(other.id);

interface Deps {
  storage: Pick<Storage, 'timeline' | 'records' | 'transaction' | 'publish' | 'subscribe' | 'isShared'>;
  clock: Clock;
  log: Logger;
  /** Maximum number of entries per workspace; 0 disables the timeline. */
  entries?: number;
}

export function createTimelines({ storage, clock, log, entries = defaultEntries }: Deps): Timelines {
  const stored = storage.timeline<Unnumbered>();
  /** Number of the latest entries that stay even if they only read. */
  const latest = Math.min(latestEntries, Math.floor(entries / 5));
  const pending = new Map<string, Waiting>();
  /** The subscribers of each workspace. */
  const subscribers = new Map<string, EventEmitter>();
  /** Entries that this server has just written, by id: its own subscribers need not read them. */
  const written = new Map<string, TimelineEntry>();
  let timer: { id: unknown; due: number } | undefined;
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

  const evidenceOf = (workspace: string) => storage.records(evidenceRecords, { workspace, companyKey: ofWorkspace });

  async function append(workspace: string, newEntries: readonly Unnumbered[]): Promise<TimelineEntry[]> {
    const added: TimelineEntry[] = [];
    for (let waiting = newEntries; waiting.length > 0;) {
      const numbered = waiting.map((value): NewEntry<Unnumbered> => ({
        id: nextId(),
        at: Date.parse(value.at),
        length: lengthOf(value),
        isRead: isRead(value),
        value,
      }));
      const found = new Set(await stored.append(workspace, numbered));
      added.push(...numbered.flatMap(({ id, value }) => (found.has(id) ? [{ id, ...value }] : [])));
      waiting = numbered.flatMap(({ id, value }) => (found.has(id) ? [] : [value]));
    }
    return added;
  }

  async function madeFrom(waiting: readonly { item: Pending }[]): Promise<Unnumbered[]> {
    const made: Unnumbered[] = [];
    let begun = performance.now();
    for (const { item: make } of waiting) {
      if (performance.now() - begun > longWork) {
        await othersTurn();
        begun = performance.now();
      }
      try {
        made.push(make());
      } catch (error) {
        log.error({ err: error }, 'an entry of the timeline could not be made');
      }
    }
    return made;
  }

  async function write(workspace: string, { ring, unkept }: Waiting): Promise<void> {
    const waiting = ring.take();
    const added: TimelineEntry[] = [];
    let done = 0;
    try {
      // The clock may have been set back since the latest entry.
      last = Math.max(last, Number((await stored.latestId(workspace)) ?? 0));
      do {
        if (done > 0) await othersTurn();
        const entries = await append(workspace, await madeFrom(waiting.slice(done, done + batchSize))).catch(
          (error: unknown) => {
            // They may have been stored although the answer was lost, and none is stored twice.
            if (isConnectionLost(error)) done += batchSize;
            throw error;
          },
        );
        done += batchSize;
        added.push(...entries);
        unkept.push(...entries.filter(mayBeEvidence));
        // One commit for what is kept and what is dropped for it.
        if (unkept.length > 0)
          await storage.transaction(`evidence of ${workspace}`, () => keepEvidence(evidenceOf(workspace), unkept));
        unkept.length = 0;
      } while (done < waiting.length);
    } catch (error) {
      if (!(error instanceof DatabaseError)) {
        unkept.length = 0;
        throw error;
      }
      ring.putBack(waiting.slice(done));
      log.error({ err: error }, 'the timeline waits to be kept');
    }
    if (added.length === 0) return;
    await stored.prune(workspace, {
      entries,
      latest,
      length: timelineLimits.length,
      since: clock.now() - timelineLimits.age,
    });
    for (let from = 0; from < added.length; from += idsPerNotification)
      await announce(workspace, added.slice(from, from + idsPerNotification));
  }

  async function announce(workspace: string, added: readonly TimelineEntry[]): Promise<void> {
    if (subscribers.has(workspace)) for (const each of added) written.set(each.id, each);
    await storage.publish(topicOf(workspace), added.map(({ id }) => id).join(' '));
    written.clear();
  }

  async function writeAll(): Promise<void> {
    for (const [workspace, waiting] of [...pending]) {
      await write(workspace, waiting).catch((error: unknown) => log.error({ err: error }, 'the timeline was not kept'));
      if (waiting.ring.count() === 0 && waiting.unkept.length === 0) pending.delete(workspace);
    }
  }

  function flush(): Promise<void> {
    if (timer) clock.clearTimeout(timer.id);
    timer = undefined;
    writing = writing.then(writeAll);
    return writing;
  }

  function flushWithin(ms: number): void {
    const due = clock.steady() + ms;
    if (timer && timer.due <= due) return;
    if (timer) clock.clearTimeout(timer.id);
    timer = { id: clock.setTimeout(() => void flush(), ms), due };
  }

  function add(workspace: string, entry: Pending, weight: Weight): void {
    const waiting = pending.get(workspace) ?? { ring: createRing<Pending>(entries, latest), unkept: [] };
    pending.set(workspace, waiting);
    waiting.ring.add(entry, weight);
    flushWithin(weight === 'evidence' || subscribers.has(workspace) ? writeDelay.short : writeDelay.usual);
  }

  const entriesOf = (found: readonly { id: string; value: Unnumbered }[]): TimelineEntry[] =>
    found.map(({ id, value }) => ({ id, ...value })).sort(byId);

  /** Subscribes to the entries of a workspace once for all its subscribers. */
  function subscribersOf(workspace: string): EventEmitter {
    const known = subscribers.get(workspace);
    if (known) return known;
    const emitter = new EventEmitter().setMaxListeners(0);
    let reading = Promise.resolve();
    const unsubscribe = storage.subscribe(topicOf(workspace), (message) => {
      if ('gap' in message) return void emitter.emit('end');
      const ids = message.id.split(' ');
      const own = ids.flatMap((id) => written.get(id) ?? []);
      const others = ids.filter((id) => !written.has(id));
      reading = reading
        .then(async () => {
          const read = others.length > 0 ? entriesOf(await stored.some(workspace, others)) : [];
          emitter.emit('entries', [...own, ...read].sort(byId));
        })
        .catch((error: unknown) => {
          log.error({ err: error }, 'the timeline could not be read');
          emitter.emit('end');
        });
    });
    emitter.on('removeListener', () => {
      if (emitter.listenerCount('entries') > 0 || subscribers.get(workspace) !== emitter) return;
      unsubscribe();
      subscribers.delete(workspace);
    });
    subscribers.set(workspace, emitter);
    return emitter;
  }

  return {
    of: (workspace) => ({
      isKept: entries > 0,
      add: (entry, weight = 'call') => entries > 0 && add(workspace, entry, weight),
      async list() {
        await flush();
        return entriesOf(await stored.latest(workspace, entries));
      },
      async about(id) {
        await flush();
        return evidenceAbout(evidenceOf(workspace), id);
      },
      subscribe(onEntries, onEnd) {
        const emitter = subscribersOf(workspace).on('entries', onEntries).on('end', onEnd);
        return () => void emitter.off('end', onEnd).off('entries', onEntries);
      },
    }),
    flush,
    endSubscriptions() {
      for (const emitter of subscribers.values()) emitter.emit('end');
    },
  };
}
