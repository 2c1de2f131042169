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
   * Adds an entry, which is written within 200 ms, or within a second where many come, unless by then so many follow
   * that it would be removed at once. Never throws, so that an error here does not fail what is recorded.
   */
  add(pending: Pending): void;
  /** All entries, oldest first. */
  list(): Promise<readonly TimelineEntry[]>;
  /** By how much the id of an entry may be lower than that of one heard before it: servers write at the same time. */
  lateness: number;
  /**
   * Calls `hear` with new entries, several at a time, and `end` when the timeline closes. Returns a function that stops
   * this.
   */
  follow(hear: (entries: readonly TimelineEntry[]) => void, end: () => void): () => void;
}

/** The timelines of all workspaces. */
export interface Timelines {
  of(workspace: string): Timeline;
  /** Whether nothing is to be written to a workspace's timeline, and nobody follows it. */
  isIdle(workspace: string): boolean;
  /** Forgets an idle timeline; it is read again when it is asked for. */
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
 * Time (ms) for which entries are collected before they are written together; a longer one while each writing replaces
 * all that is kept, and nobody follows: making and writing the same thousand five times a second takes a fifth of the
 * process.
 */
const gathering = { usual: 200, many: 1000 } as const;

/**
 * By how much an id of another server may be lower than ids that were heard before, in thousandths of a ms: the time in
 * which an entry is written and told.
 */
const usualLateness = 1_000_000;
/**
 * Number of chunks of other servers that are not read until somebody asks for them, and may exceed the limits; above it
 * all are read again in place of each.
 */
const mostHeard = 20;

/** Number of entries that may wait beyond the maximum before the oldest are forgotten: what waits has to be moved as memory is collected. */
const spare = 100;

/** Number of entries that are made, or written as one chunk, without yielding: about a millisecond of work. */
const atOnce = 25;

/**
 * Time (ms) between two such steps, in which a call passes as a whole: it takes several turns of the event loop, and
 * each would wait for a step.
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
 * The timeline of one workspace. Entries are written in chunks; a chunk is one record, which is removed when its last entry
 * exceeds the limits.
 */
function timelineIn(
  chunks: Records<Chunk>,
  { numberFrom, isShared }: Pick<Stores, 'numberFrom' | 'isShared'>,
  { clock, log, entries = usualEntries }: Deps,
): Kept {
  const lateness = isShared ? usualLateness : 0;
  let kept: TimelineEntry[] = [];
  /** Of their texts, in characters. */
  let length = 0;
  let written: { key: string; last: number }[] = [];
  /** Keys of chunks that other servers have written and that are not among `kept`; '' stands for any. */
  let heard: string[] = [];
  let pending: Pending[] = [];
  let timer: unknown;
  /** Whether the latest writing replaced all that was kept. */
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

  /** Servers write their chunks in another order than that in which the entries were made. */
  const sort = () => void kept.sort((one, other) => Number(one.id) - Number(other.id));

  function keepChunk(chunk: Chunk): void {
    const found = unpacked(chunk);
    keep(found);
    const [first, final] = [found[0]?.id ?? '', Number(found.at(-1)?.id ?? 0)];
    written.push({ key: first, last: final });
    last = Math.max(last, final);
  }

  /** Takes over what other servers have written, in the order of all. */
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

  /** Tells those who follow what is new, because nothing else does. */
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
    // As texts, which sort as the times do: reading the times of a thousand takes as long as writing a chunk.
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
    // Who waits for the timeline does not wait for pauses as well.
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
      // These would be removed as soon as they were written.
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
      if (isMany) void flush(); // what waits longer than those who follow are promised
      news.on('entries', hear).on('end', end);
      return () => news.off('entries', hear).off('end', end);
    },
    /** Notes that another server has written a chunk, or any for ''; it is read at once only if somebody follows, later with many or when asked for. */
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
