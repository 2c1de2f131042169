import { LRUCache } from 'lru-cache';
import { createContext } from '#server/context.ts';
import { createChanges, isApart, workspaceOf } from '#server/store/changes.ts';
import type { Engine } from '#server/store/engine.ts';
import type { Connections } from './connections.ts';

/** Maximum length of all that is remembered, in characters of its values, and of one reading. */
const [most, longest] = [16 * 1024 * 1024, 256 * 1024];
/** What is counted for a reading, and for each of its rows, besides its values. */
const [beside, perRow] = [500, 100];
/** Time (ms) after which the versions are asked for again within one request. */
const life = 100;

/** The versions of a workspace's namespaces as they were at `at` (ms, performance.now), after these `writes` of this server. */
interface Snapshot {
  at: number;
  writes: string;
  versions: Promise<Versions>;
}
type Versions = Readonly<Record<string, string>>;

/** One request: the versions that were asked for, by workspace. */
interface Request {
  snapshots: Map<string, Snapshot>;
  isOver: boolean;
}

interface Remembered {
  version: string;
  reading: unknown;
  length: number;
}

/** The length of a reading: rows, one row or none, tallies or a count. */
const lengthOf = (reading: unknown): number =>
  beside +
  [reading]
    .flat()
    .map((row) => (row as { value?: string } | undefined)?.value?.length ?? 0)
    .reduce((sum, each) => sum + each + perRow, 0);

/**
 * Entries whose readings are remembered by the version of their namespace, and the versions, which are asked for once in
 * a request: they hold until this server writes to the workspace, at most 100 ms. Outside of a request, and within a
 * transaction, everything is asked of the database.
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

  /**
   * With each version goes which table it is in and when the server was started: a server that took the place of another
   * one, or a dump that was restored, gives the versions since then once more.
   */
  async function askVersions(workspace: string): Promise<Versions> {
    const [found] = await rows<{ versions: Versions | null }>(
      `select json_object_agg(namespace, version || ' ' || tableoid || ' ' || pg_postmaster_start_time()) as versions
       from versions
       where namespace > $1 || '/' and namespace < $1 || '0'`,
      workspace,
    );
    return found?.versions ?? {};
  }

  /** The versions of a workspace's namespaces; those of the request if there is one. */
  function versionsOf(workspace: string): Promise<Versions> {
    const request = current();
    if (!request) return askVersions(workspace);
    const [now, writes] = [performance.now(), changes.of(workspace)];
    const known = request.snapshots.get(workspace);
    if (known?.writes === writes && now - known.at < life) return known.versions;
    const versions = askVersions(workspace);
    request.snapshots.set(workspace, { at: now, writes, versions });
    return versions;
  }

  function current(): Request | undefined {
    if (isInTransaction()) return undefined;
    const request = requests.get();
    return request?.isOver === false ? request : undefined;
  }

  async function reading<T>(namespace: string, what: readonly unknown[], read: () => Promise<T>): Promise<T> {
    if (!current()) return read();
    const version = (await versionsOf(workspaceOf(namespace)))[namespace] ?? '';
    const key = JSON.stringify([namespace, ...what]);
    const before = known.get(key);
    if (before?.version === version) return before.reading as T; // a key has one kind of reading
    const found = await read();
    known.set(key, { version, reading: found, length: lengthOf(found) });
    return found;
  }

  /** Runs a write; once it is done, or nobody knows, the versions are asked for again. */
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
    find: (namespace, key) => reading(namespace, ['find', key], () => entries.find(namespace, key)),
    all: (namespace) => reading(namespace, ['all'], () => entries.all(namespace)),
    page: (whose, how) => reading(whose.namespace, ['page', whose, how], () => entries.page(whose, how)),
    count: (whose) => reading(whose.namespace, ['count', whose], () => entries.count(whose)),
    tallies: (namespace) => reading(namespace, ['tallies'], () => entries.tallies(namespace)),
    write: (namespace, each, isDurable) => writing([namespace], () => entries.write(namespace, each, isDurable)),
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
    /** Lets the versions of a workspace be asked for again. */
    askAgain: (workspace: string) => changes.note([`${workspace}/`]),
    /** As of the engine. */
    async version(name: string): Promise<string> {
      const versions = await versionsOf(workspaceOf(name));
      if (name.includes('/')) return versions[name] ?? '';
      // Each version only grows, so their sum differs as soon as one does.
      const all = Object.entries(versions).filter(([namespace]) => !isApart(namespace));
      const [, first = ''] = all[0] ?? [];
      const sum = all.reduce((known, [, version]) => known + Number.parseInt(version, 10), 0);
      return `${sum}${first.slice(first.indexOf(' '))}`;
    },
    versionOf: async (namespace: string): Promise<string> =>
      (await versionsOf(workspaceOf(namespace)))[namespace] ?? '',
    /** Runs a request. */
    async asOne<T>(run: () => Promise<T>): Promise<T> {
      const request: Request = { snapshots: new Map(), isOver: false };
      try {
        return await requests.run(request, run);
      } finally {
        request.isOver = true;
      }
    },
  };
}
