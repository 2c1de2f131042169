import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { TimelineEntry } from '#contract/timeline.ts';
import { packed, unpacked } from './chunk.ts';
import type { Chunk } from './chunk.ts';
import { iso } from '#server/clock.ts';
import type { Clock } from '#server/clock.ts';
import type { Records } from '#server/store/records.ts';
import type { Stores } from '#server/store/store.ts';

/** Creates an entry; called only when the entry is written. */
type Pending = () => Omit<TimelineEntry, 'id'>;

/** The recorded calls, requests and webhooks of one workspace. */
export interface Timeline {
  /** False if the timeline is switched off. */
  readonly isKept: boolean;
  /**
   * Adds an entry. It is written within 200 ms, or within a second under load; it is dropped if more than the maximum
   * number of entries follow before that. Never throws, so that an error here does not fail what is recorded.
   */
  add(pending: Pending): void;
  /** Resolves with all entries, oldest first, after writing the pending ones. */
  list(): Promise<readonly TimelineEntry[]>;
  /**
   * Maximum by which the id of an entry may be lower than that of an earlier-heard one: servers write concurrently. In
   * thousandths of a ms.
   */
  lateness: number;
  /**
   * Calls `hear` with new entries in batches, and `end` when the timeline closes. Returns a function that unsubscribes.
   */
  follow(hear: (entries: readonly TimelineEntry[]) => void, end: () => void): () => void;
}

/** The timelines of all workspaces. */
export interface Timelines {
  of(workspace: string): Timeline;
  /** Whether a workspace's timeline has no pending entries and no followers. */
  isIdle(workspace: string): boolean;
  /** Evicts an idle timeline; it is read again when needed. */
  letGo(workspace: string): void;
  /** Writes all pending entries. */
  flush(): Promise<void>;
  /** Calls `end` of all followers. */
  endFollowing(): void;
}

/** Limits per workspace: total length of the entries' texts in characters, and age in ms. */
const bounds = { length: 8 * 1024 * 1024, age: 7 * 24 * 60 * 60_000 } as const;
export const usualEntries = 1000;

/**
 * Time (ms) for which entries are collected before they are written. `many` applies when each write replaces the whole
 * timeline and nobody follows: replacing a thousand entries five times a second would cost a fifth of the process's
 * time.
 */
const gathering = { usual: 200, many: 1000 } as const;

/**
 * Lateness (thousandths of a ms) on a shared store: the time in which another server's entry is written and announced.
 */
const usualLateness = 1_000_000;
/**
 * Maximum number of other servers' chunks left unread until someone needs them, which may exceed the limits; beyond it,
 * the whole timeline is read again instead.
 */
const mostHeard = 20;

/**
 * Number of pending entries beyond the maximum before the oldest are dropped; pending entries slow down garbage
 * collection.
 */
const spare = 100;

/** Number of entries that are made, or written as one chunk, without yielding: about a millisecond of work. */
const atOnce = 25;

/**
 * Pause (ms) between such steps, long enough to handle a whole call: a call takes several turns of the event loop, and
 * would otherwise wait for a step in each.
 */
const pause = 5;

const lengthOf = ({ request, response, baseString, url }: TimelineEntry): number =>
  request.body.length + response.body.length + baseString.length + url.length + 500;

interface Deps {
  clock: Clock;
  log: Logger;
  /** Maximum number of entries per workspace; 0 disables the timeline. */
  entries?: number;
}

/** The timeline of one workspace, for `Timelines`. */
interface Kept extends Timeline {
  flush(): Promise<void>;
  written(key: string): void;
  endFollowing(): void;
  isIdle(): boolean;
}

/**
 * The timeline of one workspace. Entries are written in chunks; each chunk is one record, removed when its last entry
 * exceeds the limits.
 */
function timelineIn(
  chunks: Records<Chunk>,
  { numberFrom, isShared }: Pick<Stores, 'numberFrom' | 'isShared'>,
  { clock, log, entries = usualEntries }: Deps,
): Kept {
  const lateness = isShared ? usualLateness : 0;
  let kept: TimelineEntry[] = [];
  /** Length of the texts in `kept`, in characters. */
  let length = 0;
  let written: { key: string; last: number }[] = [];
  /** Keys of other servers' chunks that have not been read yet; '' stands for all. */
  let heard: string[] = [];
  let pending: Pending[] = [];
  let timer: unknown;
  /** Whether the latest write replaced the whole timeline. */
  let isMany = false;
  let last = 0;
  const news = new EventEmitter().setMaxListeners(0);
  const isFollowed = () => news.listenerCount('entries') > 0;

  const failed = (error: unknown) => log.error({ err: error }, 'the timeline could not be read');

  async function load(): Promise<void> {
    const found = await chunks.list();
    [kept, written, length] = [[], [], 0];
    found.forEach(keepChunk);
    if (isShared) sort();
  }

  /** Servers write their chunks in an order other than that of their entries. */
  const sort = () => void kept.sort((one, other) => Number(one.id) - Number(other.id));

  function keepChunk(chunk: Chunk): void {
    const found = unpacked(chunk);
    keep(found);
    const [first, final] = [found[0]?.id ?? '', Number(found.at(-1)?.id ?? 0)];
    written.push({ key: first, last: final });
    last = Math.max(last, final);
  }

  /** Reads the entries that other servers have written. */
  async function takeOver(): Promise<void> {
    const keys = heard;
    heard = [];
    try {
      if (keys.includes('') || keys.length > mostHeard) await loadAgain();
      else for (const key of keys) await takeOverChunk(key);
    } catch (error) {
      if (keys.length > 0) heard = [''];
      failed(error);
    }
  }

  /** Emits the new entries, because nothing else does. */
  async function loadAgain(): Promise<void> {
    const known = new Set(kept.map(({ id }) => id));
    await load();
    const missed = kept.filter(({ id }) => !known.has(id));
    if (missed.length > 0) news.emit('entries', missed);
    await trim();
  }

  async function takeOverChunk(key: string): Promise<void> {
    const chunk = await chunks.get(key);
    if (!chunk || written.some((own) => own.key === key)) return;
    const before = Number(kept.at(-1)?.id ?? 0);
    keepChunk(chunk);
    if (Number(key) < before) sort();
    news.emit('entries', unpacked(chunk));
    await trim();
  }

  function keep(more: readonly TimelineEntry[]): void {
    kept.push(...more);
    for (const entry of more) length += lengthOf(entry);
  }

  async function trim(): Promise<void> {
    // Compared as texts, which sort like the times: parsing a thousand times takes as long as writing a chunk.
    const oldest = iso(clock.now() - bounds.age);
    let gone = 0;
    for (; gone < kept.length; gone += 1) {
      const isYoung = kept[gone]!.at >= oldest; // within
      if (isYoung && kept.length - gone <= entries && length <= bounds.length) break;
      length -= lengthOf(kept[gone]!); // within
    }
    if (gone === 0) return;
    kept = kept.slice(gone);
    const from = Number(kept[0]?.id ?? Infinity);
    const past = written.filter((chunk) => chunk.last < from);
    written = written.filter((chunk) => chunk.last >= from);
    for (const { key } of past) await chunks.remove(key);
  }

  async function write(isAsked: boolean): Promise<void> {
    if (isAsked || isFollowed() || heard.length >= mostHeard) await takeOver();
    const waiting = isFollowed() ? pending : pending.slice(-entries);
    isMany = waiting.length >= entries;
    pending = [];
    timer = undefined;
    const made: TimelineEntry[] = [];
    // A caller who waits for the timeline need not wait for pauses too.
    const othersTurn = () => (isAsked || underWay > 1 ? nextTurn() : wait(pause));
    for (const [index, make] of waiting.entries()) {
      if (index > 0 && index % atOnce === 0) await othersTurn();
      try {
        const id = numberFrom(Math.max(last + 1, clock.now() * 1000));
        made.push({ id: String(id), ...make() });
        last = id;
      } catch (error) {
        log.error({ err: error }, 'an entry of the timeline could not be made');
      }
    }
    if (made.length === 0) return;
    keep(made);
    news.emit('entries', made);
    for (let from = 0; from < made.length; from += atOnce) {
      if (from > 0) await othersTurn();
      const part = made.slice(from, from + atOnce);
      written.push({ key: part[0]!.id, last: Number(part.at(-1)!.id) }); // not empty
      await chunks.put(part[0]!.id, packed(part));
      await trim();
    }
  }

  let writing: Promise<void> = load().catch(failed);
  let underWay = 0;
  const flush = (isAsked = false): Promise<void> => {
    if (timer !== undefined) clock.clearTimeout(timer);
    underWay += 1;
    writing = writing
      .then(() => write(isAsked))
      .catch((error: unknown) => log.error({ err: error }, 'the timeline was not kept'))
      .finally(() => (underWay -= 1));
    return writing;
  };

  return {
    isKept: entries > 0,
    add(entry) {
      if (entries === 0) return;
      pending.push(entry);
      // The oldest would be removed as soon as they were written.
      if (pending.length >= entries + spare && !isFollowed()) pending = pending.slice(-entries);
      timer ??= clock.setTimeout(() => void flush(), gathering[isMany && !isFollowed() ? 'many' : 'usual']);
    },
    lateness,
    list: async () => {
      await flush(true);
      return kept;
    },
    follow(hear, end) {
      if (heard.length > 0) void flush();
      if (isMany) void flush(); // followers must not wait for the longer interval
      news.on('entries', hear).on('end', end);
      return () => news.off('entries', hear).off('end', end);
    },
    /**
     * Notes that another server has written a chunk ('': any number of chunks). Reads it at once if there are
     * followers, otherwise later together with others or when needed.
     */
    written(key: string): void {
      heard = heard.length > mostHeard ? [''] : [...heard, key];
      if (isFollowed()) void flush();
    },
    endFollowing: () => void news.emit('end'),
    isIdle: () => pending.length === 0 && underWay === 0 && !isFollowed(),
    flush,
  };
}

export function createTimelines(
  stores: Pick<Stores, 'of' | 'numberFrom' | 'isShared' | 'hearOfTimelines'>,
  deps: Deps,
): Timelines {
  const opened = new Map<string, Kept>();
  stores.hearOfTimelines((workspace, key) => {
    if (key === '') for (const timeline of opened.values()) timeline.written('');
    else opened.get(workspace)?.written(key);
  });
  return {
    of(workspace) {
      const timeline = opened.get(workspace) ?? timelineIn(stores.of(workspace).timeline, stores, deps);
      opened.set(workspace, timeline);
      return timeline;
    },
    isIdle: (workspace) => opened.get(workspace)?.isIdle() ?? true,
    letGo: (workspace) => void opened.delete(workspace),
    async flush() {
      for (const timeline of opened.values()) await timeline.flush();
    },
    endFollowing() {
      for (const timeline of opened.values()) timeline.endFollowing();
    },
  };
}
