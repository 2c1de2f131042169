import { LRUCache } from 'lru-cache';
import { createContext } from '#server/context.ts';
import { createChanges, workspaceOf } from '#server/store/changes.ts';
import type { Engine } from '#server/store/engine.ts';
import type { Connections } from './connections.ts';
import { createSnapshots, hasAside, readings, rowsIn, settingsIn, versionIn } from './snapshots.ts';
import type { Owned, Snapshot } from './snapshots.ts';

/** Maximum size of the cache and of one cached result, in characters of their values. */
const [most, longest] = [8 * 1024 * 1024, 256 * 1024];
/** Overhead counted for a result and for each of its rows, in characters. */
const [beside, perRow] = [500, 100];
/** Time (ms) for which a request uses a snapshot. */
const life = 100;

/** A snapshot taken at `at` (ms, performance.now), when this server's writes had the version `writes`. */
interface Asked {
  at: number;
  writes: string;
  snapshot: Promise<Snapshot>;
}

/** One request and its snapshots, by workspace. */
interface Request {
  asked: Map<string, Asked>;
  isOver: boolean;
}

interface Remembered {
  version: string;
  reading: unknown;
  length: number;
}

/** The size of a result, in characters: rows, one row or none, tallies or a count. */
const lengthOf = (reading: unknown): number =>
  beside +
  [reading]
    .flat()
    .map((row) => (row as { value?: string } | undefined)?.value?.length ?? 0)
    .reduce((sum, each) => sum + each + perRow, 0);

/**
 * Caches entries. Each request takes a snapshot of a workspace, which is valid until this server writes to the
 * workspace, at most 100 ms. Reads that the snapshot cannot answer are cached by the version of their namespace.
 * Outside a request, and within a transaction, every read goes to the database.
 */
export function remembered(
  entries: Engine['entries'],
  { rows, isInTransaction, afterwards }: Pick<Connections, 'rows' | 'isInTransaction' | 'afterwards'>,
) {
  const requests = createContext<Request>();
  const known = new LRUCache<string, Remembered>({
    maxSize: most,
    maxEntrySize: longest,
    sizeCalculation: ({ length }) => length,
  });
  const changes = createChanges();
  const ask = createSnapshots({ rows });

  /** Returns the snapshot of a workspace, that of the request if there is one. */
  function snapshotOf(workspace: string): Promise<Snapshot> {
    const request = current();
    if (!request) return ask(workspace);
    const [now, writes] = [performance.now(), changes.of(workspace)];
    const known = request.asked.get(workspace);
    if (known?.writes === writes && now - known.at < life) return known.snapshot;
    const snapshot = ask(workspace);
    request.asked.set(workspace, { at: now, writes, snapshot });
    return snapshot;
  }

  function current(): Request | undefined {
    if (isInTransaction()) return undefined;
    const request = requests.get();
    return request?.isOver === false ? request : undefined;
  }

  /**
   * Answers a read from the rows of the snapshot with `of`; if it has none, from the cache at this version, otherwise
   * with `read`.
   */
  async function reading<T>(
    namespace: string,
    what: readonly unknown[],
    of: (rows: Owned) => T,
    read: () => Promise<T>,
  ): Promise<T> {
    if (!current()) return read();
    const snapshot = await snapshotOf(workspaceOf(namespace));
    const rows = rowsIn(snapshot, namespace);
    if (rows) return of(rows);
    const version = versionIn(snapshot, namespace);
    const key = JSON.stringify([namespace, ...what]);
    const before = known.get(key);
    if (before?.version === version) return before.reading as T; // a key has one kind of reading
    const found = await read();
    known.set(key, { version, reading: found, length: lengthOf(found) });
    return found;
  }

  /** Answers a read from the snapshot with `of`; uses `read` if that returns undefined, or outside a request. */
  async function told<T>(
    workspace: string,
    of: (snapshot: Snapshot) => T | undefined,
    read: () => Promise<T>,
  ): Promise<T> {
    return (current() && of(await snapshotOf(workspace))) ?? read();
  }

  /**
   * Runs a write, then invalidates the snapshots of these namespaces, also if the write fails (it may have been done).
   */
  async function writing<T>(namespaces: readonly string[], write: () => Promise<T>): Promise<T> {
    const noted = () => changes.note(namespaces);
    try {
      return await write();
    } finally {
      noted();
      afterwards(noted);
    }
  }

  const all: Engine['entries'] = {
    ...entries,
    find: (namespace, key) =>
      reading(
        namespace,
        ['find', key],
        (rows) => readings.find(rows, key),
        () => entries.find(namespace, key),
      ),
    all: (namespace) => reading(namespace, ['all'], readings.all, () => entries.all(namespace)),
    page: (whose, how) =>
      reading(
        whose.namespace,
        ['page', whose, how],
        (rows) => readings.page(rows, whose, how),
        () => entries.page(whose, how),
      ),
    count: (whose) =>
      reading(
        whose.namespace,
        ['count', whose],
        (rows) => readings.count(rows, whose),
        () => entries.count(whose),
      ),
    tallies: (namespace) => reading(namespace, ['tallies'], readings.tallies, () => entries.tallies(namespace)),
    settingsOf: (workspace) => told(workspace, settingsIn, () => entries.settingsOf(workspace)),
    aside: (workspace) =>
      told(
        workspace,
        (snapshot) => (hasAside(snapshot) ? undefined : []),
        () => entries.aside(workspace),
      ),
    write: (namespace, each, isDurable) => writing([namespace], () => entries.write(namespace, each, isDurable)),
    insert: (namespace, row) => writing([namespace], () => entries.insert(namespace, row)),
    writeParts: (parts) =>
      writing(
        parts.map(({ namespace }) => namespace),
        () => entries.writeParts(parts),
      ),
    replace: (namespace, before, row) => writing([namespace], () => entries.replace(namespace, before, row)),
    remove: (namespace, key, isDurable) => writing([namespace], () => entries.remove(namespace, key, isDurable)),
    clear: (parts) =>
      writing(
        parts.map(({ namespace }) => namespace),
        () => entries.clear(parts),
      ),
    setAside: (namespace, row, at) => writing([namespace], () => entries.setAside(namespace, row, at)),
  };

  return {
    entries: all,
    /** Invalidates the snapshot of a workspace. */
    askAgain: (workspace: string) => changes.note([`${workspace}/`]),
    /** See Engine. */
    async version(name: string): Promise<string> {
      const snapshot = await snapshotOf(workspaceOf(name));
      return name.includes('/') ? versionIn(snapshot, name) : snapshot.version;
    },
    /** See Engine. */
    async asOne<T>(run: () => Promise<T>): Promise<T> {
      const request: Request = { asked: new Map(), isOver: false };
      try {
        return await requests.run(request, run);
      } finally {
        request.isOver = true;
      }
    },
  };
}
