import { randomUUID } from 'node:crypto';
import type { Clock } from '#server/clock.ts';
import type { AsideRow, Engine, Notice, Row, SessionRow } from '#server/store/engine.ts';
import type { Seal } from '#server/store/seal.ts';
import { serialByName } from '#server/serially.ts';
import { claimsIn, isAlive } from './claims.ts';
import { createConnections } from './connections.ts';
import type { Connections } from './connections.ts';
import { createLettingGo } from './lettingGo.ts';
import { limitsIn } from './limit.ts';
import { listening } from './listening.ts';
import { prepare } from './open.ts';
import { channel, longestNotice, turnLock } from './schema.ts';

/** Time (ms) for which a server counts as alive after it has said so, and how often it says so. */
const lease = { life: 6000, beat: 2000 } as const;
/** Time (ms) after which it is asked again whether what another server holds is free. */
const pause = 50;

/** Maximum number of servers of a store, whose numbers they share by. */
const mostServers = 64;

function entriesIn({ rows, write, writeRelaxed }: Connections): Engine['entries'] {
  return {
    async find(namespace, key) {
      const [row] = await rows<Row>(
        'select position, key, value from entries where namespace = $1 and key = $2',
        namespace,
        key,
      );
      return row;
    },
    async write(namespace, all, isDurable) {
      const put = isDurable ? write : writeRelaxed;
      // Of several rows with one key the last one counts; a statement may not change a row twice.
      const last = [...new Map(all.map((row) => [row.key, row])).values()];
      await put(
        `insert into entries (namespace, key, value, owner)
         select $1, key, value, owner from unnest($2::text[], $3::text[], $4::text[])
           with ordinality as given (key, value, owner, place) order by place
         on conflict (namespace, key) do update set value = excluded.value, owner = excluded.owner`,
        ...[namespace, last.map(({ key }) => key), last.map(({ value }) => value), last.map(({ owner }) => owner)],
      );
    },
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
         and namespace ~ '^[^/]+/[^/]+/settings$' and count > 0
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

function sessionsIn({ rows, write }: Connections): Engine['sessions'] {
  return {
    async begin({ key, value, startedAt, usedAt }) {
      await write(
        'insert into sessions (key, value, started_at, used_at) values ($1, $2, $3, $4)',
        key,
        value,
        startedAt,
        usedAt,
      );
    },
    async find(key, { usedAt, startedAt }) {
      const [row] = await rows<SessionRow & Record<string, unknown>>(
        `select key, value, started_at as "startedAt", used_at as "usedAt" from sessions
         where key = $1 and used_at > $2 and started_at > $3`,
        ...[key, usedAt, startedAt],
      );
      return row;
    },
    async use(key, usedAt) {
      await write('update sessions set used_at = greatest(used_at, $2) where key = $1', key, usedAt);
    },
    replace: async (key, before, value) =>
      (await write('update sessions set value = $3 where key = $1 and value = $2 returning 1', key, before, value))
        .length > 0,
    async end(key) {
      await write('delete from sessions where key = $1', key);
    },
    async forget({ usedAt, startedAt }, latest) {
      await write(
        'delete from sessions where used_at <= $1 or started_at <= $2 or used_at > $3 or started_at > $3',
        ...[usedAt, startedAt, latest],
      );
    },
  };
}

interface Needs {
  seal: Pick<Seal, 'keyIds'>;
  /** This machine's. */
  clock: Pick<Clock, 'now' | 'steady'>;
  /** Called with how far (ms) the database's clock is ahead of it. */
  follow: (offset: number) => void;
  onError: (error: unknown) => void;
}

/**
 * Opens the engine of a PostgreSQL database, which several servers may use at a time. Each one says again and again that
 * it is alive; what it holds is another's once it has not done so for six seconds, or has ended. All of them use the
 * database's clock. Rejects as `prepare` does.
 */
export async function openPostgres(url: string, { seal, clock, follow, onError }: Needs): Promise<Engine> {
  const now = () => clock.now();
  const server = randomUUID();
  // A statement whose answer was lost may have been done, and is told to other servers only.
  const connections = createConnections(url, server, onError, () => tell({ what: 'missed' }));
  const { rows, write, writeRelaxed, transaction } = connections;
  const inTurnHere = serialByName();
  const lettingGo = createLettingGo(onError);
  const hearers: ((notice: Notice) => void)[] = [];
  const tell = (notice: Notice) => hearers.forEach((hear) => hear(notice));
  let ahead = 0;
  let number = 0;
  let isClosed = false;

  async function sayAlive(): Promise<void> {
    const begun = now();
    const [answer] = await write<{ now: number }>(
      `insert into servers (id, number, alive_until, keys)
       values ($1, $4, clock_timestamp() + $2 * interval '1 ms', $3)
       on conflict (id) do update set alive_until = excluded.alive_until
       returning extract(epoch from clock_timestamp())::float8 * 1000 as now`,
      ...[server, lease.life, seal.keyIds, number],
    );
    const ended = now();
    if (!answer) return;
    ahead = Math.round(answer.now - (begun + ended) / 2);
    follow(ahead);
  }

  async function begin() {
    // In one transaction, so that a key in use is never without the server that uses it.
    await prepare(url, seal, connections, async () => {
      await write('lock table servers in exclusive mode');
      await write('delete from servers where alive_until < clock_timestamp()');
      const taken = await rows<{ number: number }>('select number from servers');
      while (taken.some((other) => other.number === number)) number += 1;
      await sayAlive();
    });
    await write(`delete from held where not ${isAlive('held.server')}`);
    return listening(url, server, tell, onError);
  }
  const listener = await begin().catch(async (error: unknown) => {
    await connections.close();
    throw error;
  });
  const beating = setInterval(() => void sayAlive().then(() => lettingGo.again(), onError), lease.beat);
  const tidying = setInterval(() => {
    void writeRelaxed(`delete from rates where at < clock_timestamp() - interval '10 min'`).catch(onError);
  }, 60_000);

  /** Takes what another server holds once that has let go of it or is no longer alive. */
  async function hold(name: string): Promise<void> {
    for (;;) {
      const taken = await write(
        `insert into held (name, server) values ($1, $2) on conflict (name) do update set server = excluded.server
         where held.server = $2 or not ${isAlive('held.server')} returning 1`,
        ...[name, server],
      );
      if (taken.length > 0) return;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  return {
    isShared: true,
    entries: entriesIn(connections),
    claims: claimsIn(connections, lettingGo, server, () => now() + ahead),
    sessions: sessionsIn(connections),
    // Each version only grows, so their sum differs as soon as one does.
    async version(workspace) {
      const [found] = await rows<{ version: string }>(
        `select coalesce(sum(version), 0)::text as version from versions where namespace > $1 || '/' and namespace < $1 || '0'`,
        workspace,
      );
      return found?.version ?? '';
    },
    async versionOf(namespace) {
      const [found] = await rows<{ version: string }>(
        'select version::text from versions where namespace = $1',
        namespace,
      );
      return found?.version ?? '';
    },
    foreign: () => Promise.resolve(''),
    // One lock for each workspace, whatever is done there: with several, two servers could wait for each other.
    inTurn(name, run) {
      if (connections.isInTransaction()) return run();
      const [workspace = ''] = name.split(' ');
      return inTurnHere(workspace, () =>
        transaction(async () => {
          await write(turnLock, workspace);
          return run();
        }),
      );
    },
    whileHeld: (name, run) =>
      lettingGo.whileHeld(
        `held ${name}`,
        async () => {
          await hold(name);
          return run();
        },
        () => write('delete from held where name = $1 and server = $2', name, server),
      ),
    isInTurn: () => connections.isInTransaction(),
    afterwards: (run) => connections.afterwards(run),
    numberFrom: (least) => least + ((((number - least) % mostServers) + mostServers) % mostServers),
    limit: limitsIn(connections, clock),
    async announce(notice) {
      const text = JSON.stringify({ from: server, ...notice });
      const told = Buffer.byteLength(text) > longestNotice ? JSON.stringify({ from: server, what: 'missed' }) : text;
      await writeRelaxed('select pg_notify($1, $2)', channel, told);
    },
    listen: (hear) => void hearers.push(hear),
    async insistOnKeeping() {
      await write('update servers set keys = keys where id = $1', server);
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      clearInterval(beating);
      clearInterval(tidying);
      await listener.close();
      // What this server still holds is free at once.
      await write('delete from servers where id = $1', server).catch(onError);
      await connections.close();
    },
  };
}
