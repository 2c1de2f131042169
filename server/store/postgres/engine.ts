import { randomUUID } from 'node:crypto';
import type { Clock } from '#server/clock.ts';
import type { Engine, Notice } from '#server/store/engine.ts';
import type { Seal } from '#server/store/seal.ts';
import { serialByName } from '#server/serially.ts';
import { claimsIn, isAlive } from './claims.ts';
import { createConnections } from './connections.ts';
import { entriesIn } from './entries.ts';
import { createLettingGo } from './lettingGo.ts';
import { limitsIn } from './limit.ts';
import { listening } from './listening.ts';
import { join, nextOf } from './membership.ts';
import { refusal } from './migrate.ts';
import { remembered } from './remembered.ts';
import { channel, longestNotice, turnLock } from './schema.ts';
import { sessionsIn } from './sessions.ts';

/** Time (ms) between attempts to take a lock that another server holds. */
const pause = 50;

interface Needs {
  seal: Pick<Seal, 'keyIds'>;
  /** This machine's. */
  clock: Pick<Clock, 'now' | 'steady'>;
  /** Called with the offset (ms) by which the database's clock is ahead of `clock`. */
  follow: (offset: number) => void;
  onError: (error: unknown) => void;
}

/**
 * Opens the engine of a PostgreSQL database, which several servers may use at a time. Each server renews a lease; when
 * the lease has expired (after six seconds) or the server has ended, others may take what it holds. All servers use the
 * database's clock. Rejects as `prepare` does.
 */
export async function openPostgres(url: string, { seal, clock, follow, onError }: Needs): Promise<Engine> {
  const server = randomUUID();
  // A statement whose answer was lost may have succeeded, but its notices reach other servers only.
  const connections = createConnections(url, server, onError, () => tell({ what: 'missed' }));
  const { write, writeRelaxed, transaction } = connections;
  const kept = remembered(entriesIn(connections), connections);
  const inTurnHere = serialByName();
  const lettingGo = createLettingGo(onError);
  const hearers: ((notice: Notice) => void)[] = [];
  const tell = (notice: Notice) => hearers.forEach((hear) => hear(notice));
  let isClosed = false;

  async function begin() {
    const member = await join(url, server, connections, { seal, clock, follow });
    await write(`delete from held where not ${isAlive('held.server')}`);
    return { member, listener: await listening(connections, tell, onError) };
  }
  const { member, listener } = await begin().catch(async (error: unknown) => {
    await connections.close();
    throw refusal(url, error);
  });
  const beating = setInterval(() => void member.sayAlive().then(() => lettingGo.again(), onError), member.beat);
  const tidying = setInterval(() => {
    void writeRelaxed(`delete from rates where at < clock_timestamp() - interval '10 min'`).catch(onError);
  }, 60_000);

  /** Takes a lock; waits until the server that holds it has released it or is no longer alive. */
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
    entries: kept.entries,
    claims: claimsIn(connections, lettingGo, server, () => clock.now() + member.ahead()),
    sessions: sessionsIn(connections),
    version: (name) => kept.version(name),
    versionOf: (namespace) => kept.version(namespace),
    asOne: (run) => kept.asOne(run),
    foreign: () => Promise.resolve(''),
    // One lock for each workspace, whatever the name: with several, two servers could deadlock.
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
          const [workspace = ''] = name.split(' ');
          kept.askAgain(workspace);
          return run();
        },
        () => write('delete from held where name = $1 and server = $2', name, server),
      ),
    isInTurn: () => connections.isInTransaction(),
    afterwards: (run) => connections.afterwards(run),
    numberFrom: (least) => nextOf(member.number(), least),
    limit: limitsIn(connections, clock),
    async announce(notice) {
      const text = JSON.stringify({ from: server, ...notice });
      const told = Buffer.byteLength(text) > longestNotice ? JSON.stringify({ from: server, what: 'missed' }) : text;
      await writeRelaxed('select pg_notify($1, $2)', channel, told);
    },
    listen: (hear) => void hearers.push(hear),
    insistOnKeeping: () => member.insist(),
    async close() {
      if (isClosed) return;
      isClosed = true;
      clearInterval(beating);
      clearInterval(tidying);
      await listener.close();
      // Leaving frees at once what this server still holds.
      await member.leave().catch(onError);
      await connections.close();
    },
  };
}
