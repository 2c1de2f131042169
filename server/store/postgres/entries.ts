import type { AsideRow, Engine, Row } from '#server/store/engine.ts';
import type { Connections } from './connections.ts';

export function entriesIn({ rows, write, writeRelaxed }: Connections): Engine['entries'] {
  async function writeRows(put: typeof write, parts: Parameters<Engine['entries']['writeParts']>[0]): Promise<void> {
    const all = parts.flatMap(({ namespace, rows: each }) => each.map((row) => ({ namespace, ...row })));
    // Of several rows with one key the last one counts; a statement cannot change a row twice.
    const last = [...new Map(all.map((row) => [`${row.namespace}/${row.key}`, row])).values()];
    await put(
      `insert into entries (namespace, key, value, owner)
       select namespace, key, value, owner from unnest($1::text[], $2::text[], $3::text[], $4::text[])
         with ordinality as given (namespace, key, value, owner, place) order by place
       on conflict (namespace, key) do update set value = excluded.value, owner = excluded.owner`,
      ...[last.map(({ namespace }) => namespace), last.map(({ key }) => key)],
      ...[last.map(({ value }) => value), last.map(({ owner }) => owner)],
    );
  }

  return {
    async find(namespace, key) {
      const [row] = await rows<Row>(
        'select position, key, value from entries where namespace = $1 and key = $2',
        namespace,
        key,
      );
      return row;
    },
    insert: async (namespace, { key, value, owner }) =>
      (
        await write(
          `insert into entries (namespace, key, value, owner) values ($1, $2, $3, $4)
           on conflict (namespace, key) do nothing returning 1`,
          ...[namespace, key, value, owner],
        )
      ).length > 0,
    write: (namespace, all, isDurable) => writeRows(isDurable ? write : writeRelaxed, [{ namespace, rows: all }]),
    writeParts: (parts) => writeRows(write, parts),
    replace: async (namespace, before, { value, owner }) =>
      (
        await write(
          'update entries set value = $1, owner = $2 where namespace = $3 and key = $4 and value = $5 returning 1',
          ...[value, owner, namespace, before.key, before.value],
        )
      ).length > 0,
    async remove(namespace, key, isDurable) {
      const put = isDurable ? write : writeRelaxed;
      return (
        (await put('delete from entries where namespace = $1 and key = $2 returning 1', namespace, key)).length > 0
      );
    },
    async clear(parts) {
      const whole = parts.filter(({ keys }) => !keys).map(({ namespace }) => namespace);
      const single = parts.flatMap(({ namespace, keys = [] }) => keys.map((key) => [namespace, key]));
      await write(
        `delete from entries where namespace = any($1::text[])
         or (namespace, key) in (select * from unnest($2::text[], $3::text[]))`,
        ...[whole, single.map(([namespace]) => namespace), single.map(([, key]) => key)],
      );
    },
    all: (namespace) =>
      rows<Row>('select position, key, value from entries where namespace = $1 order by position', namespace),
    page({ namespace, owners }, { isLatestFirst, after, most }) {
      const [follows, order, limit] = isLatestFirst ? ['<', 'desc', Number.MAX_SAFE_INTEGER] : ['>', 'asc', 0];
      return rows<Row>(
        `select position, key, value from entries
         where namespace = $1 and ${owners ? 'owner = any($2::text[])' : 'owner is not distinct from $2::text'}
         and position ${follows} $3 order by position ${order} limit $4`,
        ...[namespace, owners, after ?? limit, most],
      );
    },
    async count({ namespace, owners }) {
      const [found] = await rows<{ count: number }>(
        'select coalesce(sum(count), 0)::bigint as count from tallies where namespace = $1 and owner = any($2::text[])',
        ...[namespace, owners ?? ['']],
      );
      return found?.count ?? 0;
    },
    tallies: (namespace) =>
      rows<{ owner: string; count: number }>('select owner, count from tallies where namespace = $1', namespace),
    async namespacesOf(kind, key) {
      const found = await rows<{ namespace: string }>(
        `select namespace from entries where key = $1 and right(namespace, $3) = '/' || $2 order by position`,
        ...[key, kind, kind.length + 1],
      );
      return found.map(({ namespace }) => namespace);
    },
    async settingsOf(workspace) {
      const found = await rows<{ namespace: string }>(
        `select namespace from tallies where namespace > $1 || '/' and namespace < $1 || '0'
         and namespace ~ '^[^/]+/[^/]+/settings$' and count > 0 group by namespace
         order by (select min(position) from entries where entries.namespace = tallies.namespace)`,
        workspace,
      );
      return found.map(({ namespace }) => namespace);
    },
    async setAside(namespace, { key, value }, at) {
      await write(
        `with taken as (delete from entries where namespace = $1 and key = $2 and value = $3 returning namespace, key, value)
         insert into set_aside (namespace, key, value, set_aside_at) select namespace, key, value, $4 from taken`,
        ...[namespace, key, value, at],
      );
    },
    aside: (workspace) =>
      rows<AsideRow & Record<string, unknown>>(
        `select namespace, key, set_aside_at as at from set_aside where starts_with(namespace, $1 || '/') order by position`,
        workspace,
      ),
    async asideCount() {
      const [found] = await rows<{ count: number }>('select count(*) as count from set_aside');
      return found?.count ?? 0;
    },
    settings: () =>
      rows<{ place: string; value: string }>(
        `select entries.namespace || '/' || key as place, value from entries
         join (select distinct namespace from tallies where namespace like '%/settings') as kept using (namespace)`,
      ),
  };
}
