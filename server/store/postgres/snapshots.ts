import { LRUCache } from 'lru-cache';
import { isApart } from '#server/store/changes.ts';
import type { Reading, Row, Whose } from '#server/store/engine.ts';
import type { Connections } from './connections.ts';

/** Maximum number of rows of a namespace that a snapshot includes, and of the bytes of their values. */
const [mostRows, mostBytes] = [20, 16 * 1024];
/**
 * Maximum size of all cached snapshots, in characters of their values, and the overhead counted for each namespace and
 * row.
 */
const [most, beside] = [8 * 1024 * 1024, 250];

/** A namespace at a version. */
interface Space {
  version: string;
  /** Whether a record of the namespace was set aside. */
  hasAside: boolean;
  /** Undefined if the rows are too many or too large. */
  rows: Owned | undefined;
}

/** Rows in order of insertion, each with the tag of its owner. */
export type Owned = readonly { row: Row; owner: string | null }[];

/** The namespaces of a workspace that were ever written to, from one consistent read. Immutable. */
export interface Snapshot {
  /** Identifies the sequence of versions; changes when the database is replaced. */
  epoch: string;
  /** Version of all namespaces except those apart (changes.ts). */
  version: string;
  spaces: ReadonlyMap<string, Space>;
}

type Told = [
  namespace: string,
  version: number,
  hasAside: boolean,
  rows: [position: number, key: string, value: string, owner: string | null][] | null,
];

/**
 * Selects the changes in a workspace ($1) since the namespaces $2 had the versions $3 in the epoch $4. The epoch is the
 * id of the versions table and the start time of the server: after a failover or a restored dump, the same versions are
 * given out again. Setting a record aside also changes its namespace's version.
 */
const asked = `
  with epochs as (select coalesce((select tableoid::text from versions limit 1), '') || ' ' || pg_postmaster_start_time() as epoch)
  select epoch, (
    select json_agg(json_build_array(
      versions.namespace, versions.version,
      exists (select from set_aside where set_aside.namespace = versions.namespace),
      case when versions.namespace !~ '/timeline$' and ${mostRows} >=
          (select coalesce(sum(count), 0) from tallies where tallies.namespace = versions.namespace)
        then (
          select case when coalesce(sum(octet_length(value)), 0) <= ${mostBytes}
            then coalesce(json_agg(json_build_array(position, key, value, owner) order by position), '[]') end
          from entries where entries.namespace = versions.namespace
        )
      end
    ))
    from versions left join unnest($2::text[], $3::bigint[]) as known (namespace, version)
      on known.namespace = versions.namespace and $4 = epoch
    where versions.namespace > $1 || '/' and versions.namespace < $1 || '0' and versions.version is distinct from known.version
  ) as changed from epochs`;

const lengthOf = ({ rows = [] }: Space): number =>
  rows.reduce((sum, { row }) => sum + row.value.length + beside, beside);

/**
 * Reads the versions of a workspace's namespaces in one statement, with the rows of small namespaces that have changed
 * since the last snapshot. For most workspaces no other read is needed.
 */
export function createSnapshots({ rows: query }: Pick<Connections, 'rows'>) {
  const known = new LRUCache<string, Snapshot>({
    maxSize: most,
    sizeCalculation: ({ spaces }) => [...spaces.values()].reduce((sum, each) => sum + lengthOf(each), beside),
  });

  /**
   * Merges the rows of a namespace; unchanged rows stay the same objects, so that what is cached by row stays valid.
   */
  function merged(told: NonNullable<Told[3]>, before: Owned = []): Owned {
    const old = new Map(before.map((each) => [each.row.key, each]));
    return told.map(([position, key, value, owner]) => {
      const same = old.get(key);
      const isSame = same?.row.value === value && same.row.position === position && same.owner === owner;
      return isSame ? same : { row: { position, key, value }, owner };
    });
  }

  return async (workspace: string): Promise<Snapshot> => {
    const before = known.get(workspace);
    const all = [...(before?.spaces ?? [])];
    const [found] = await query<{ epoch: string; changed: Told[] | null }>(
      asked,
      ...[workspace, all.map(([namespace]) => namespace), all.map(([, { version }]) => Number.parseInt(version, 10))],
      before?.epoch ?? '',
    );
    const { epoch, changed } = found!; // one row
    const isSame = before?.epoch === epoch;
    if (isSame && !changed) return before;
    const spaces = new Map(isSame ? before.spaces : []);
    for (const [namespace, version, hasAside, rows] of changed ?? [])
      spaces.set(namespace, {
        version: `${version} ${epoch}`,
        hasAside,
        rows: rows ? merged(rows, spaces.get(namespace)?.rows) : undefined,
      });
    // Each version only grows, so their sum changes whenever one does.
    const sum = [...spaces].reduce(
      (known, [namespace, { version }]) => known + (isApart(namespace) ? 0 : Number.parseInt(version, 10)),
      0,
    );
    const snapshot = { epoch, version: `${sum} ${epoch}`, spaces };
    known.set(workspace, snapshot);
    return snapshot;
  };
}

/** Returns the version of a namespace; '' if it was never written to. */
export const versionIn = ({ spaces }: Snapshot, namespace: string): string => spaces.get(namespace)?.version ?? '';

/** Returns the rows of a namespace; undefined if the snapshot does not include them, [] if it was never written to. */
export function rowsIn({ spaces }: Snapshot, namespace: string): Owned | undefined {
  const space = spaces.get(namespace);
  return space ? space.rows : [];
}

/** The reads of `Engine.entries`, answered from a namespace's rows. */
export const readings = {
  all: (rows: Owned): Row[] => rows.map(({ row }) => row),
  find: (rows: Owned, key: string): Row | undefined => rows.find(({ row }) => row.key === key)?.row,
  page(rows: Owned, { owners }: Whose, { isLatestFirst, after, most }: Reading): Row[] {
    const found = rows.filter(isOf(owners)).map(({ row }) => row);
    return (isLatestFirst ? found.reverse() : found)
      .filter(({ position }) => after === undefined || (isLatestFirst ? position < after : position > after))
      .slice(0, most);
  },
  count: (rows: Owned, { owners }: Whose): number => rows.filter(isOf(owners)).length,
  tallies: (rows: Owned): { owner: string; count: number }[] => {
    const owners = new Set(rows.map(({ owner }) => owner));
    return [...owners].map((owner) => ({
      owner: owner ?? '',
      count: rows.filter((each) => each.owner === owner).length,
    }));
  },
} as const;

const isOf =
  (owners: Whose['owners']) =>
  ({ owner }: Owned[number]): boolean =>
    owners ? owner !== null && owners.includes(owner) : owner === null;

/** As `Engine.entries.settingsOf`; undefined if the snapshot cannot answer. */
export function settingsIn({ spaces }: Snapshot): string[] | undefined {
  const found: { namespace: string; first: number }[] = [];
  for (const [namespace, { rows }] of spaces) {
    if (!/^[^/]+\/[^/]+\/settings$/.test(namespace)) continue;
    if (!rows) return undefined;
    if (rows[0]) found.push({ namespace, first: rows[0].row.position });
  }
  return found.sort((one, other) => one.first - other.first).map(({ namespace }) => namespace);
}

/** Whether any record of the workspace was set aside. */
export const hasAside = ({ spaces }: Snapshot): boolean => [...spaces.values()].some((space) => space.hasAside);
