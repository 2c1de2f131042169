import type { Clock } from '#server/clock.ts';
import type { Seal } from '#server/store/seal.ts';
import type { Connections } from './connections.ts';
import { PostgresStoreError } from './migrate.ts';
import { prepare } from './open.ts';

/** Life (ms) of a server's lease, and the interval (ms) at which the server renews it. */
const lease = { life: 6000, beat: 2000 } as const;
/** Time (ms) for which the number of a server that died without leaving is not reused. */
const quarantine = 60_000;

/** Maximum number of servers of a store; numbers are shared out by the remainder when divided by it. */
const mostServers = 64;

/**
 * Returns the least number, starting at `least`, that has this remainder when divided by the maximum number of servers.
 */
export const nextOf = (remainder: number, least: number): number =>
  least + ((((remainder - least) % mostServers) + mostServers) % mostServers);

interface Needs {
  seal: Pick<Seal, 'keyIds'>;
  /** This machine's. */
  clock: Pick<Clock, 'now'>;
  /** Called with the offset (ms) by which the database's clock is ahead of `clock`. */
  follow: (offset: number) => void;
}

/**
 * Registers `server` in a store under a number from 0 to 63 that no other server has. A server that was removed because
 * its process was suspended for too long joins again under a new number. Rejects as `prepare` does, and if 64 servers
 * are alive.
 */
export async function join(url: string, server: string, connections: Connections, { seal, clock, follow }: Needs) {
  const { rows, write } = connections;
  let number = 0;
  let ahead = 0;

  /**
   * Runs a statement, and updates the clock's offset from the database's time that it returns. Returns false if the
   * statement changed no row.
   */
  async function timed(text: string, ...values: unknown[]): Promise<boolean> {
    const begun = clock.now();
    const [answer] = await write<{ now: number }>(
      `${text} returning extract(epoch from clock_timestamp())::float8 * 1000 as now`,
      ...values,
    );
    if (!answer) return false;
    ahead = Math.round(answer.now - (begun + clock.now()) / 2);
    follow(ahead);
    return true;
  }

  /** Returns a free number, or that of the server that has been dead for longest. */
  async function freeNumber(): Promise<number> {
    await write(
      `delete from servers where alive_until < clock_timestamp() - $1 * interval '1 ms' or id = $2`,
      quarantine,
      server,
    );
    const taken = await rows<{ number: number; isDead: boolean }>(
      'select number, alive_until < clock_timestamp() as "isDead" from servers order by alive_until',
    );
    for (let free = 0; free < mostServers; free += 1) if (!taken.some((other) => other.number === free)) return free;
    const dead = taken.find(({ isDead }) => isDead);
    if (!dead)
      throw new PostgresStoreError(url, `${mostServers} servers run on it, which is the maximum, stop one of them`);
    await write('delete from servers where number = $1', dead.number);
    return dead.number;
  }

  // In one transaction with the key, so that a key in use always has a registered server.
  const enter = () =>
    prepare(url, seal, connections, async () => {
      await write('lock table servers in exclusive mode');
      number = await freeNumber();
      await timed(
        `insert into servers (id, number, alive_until, keys)
         values ($1, $2, clock_timestamp() + $3 * interval '1 ms', $4)`,
        ...[server, number, lease.life, seal.keyIds],
      );
    });
  await enter();

  return {
    beat: lease.beat,
    /** The offset (ms) by which the database's clock is ahead of this machine's. */
    ahead: () => ahead,
    number: () => number,
    async sayAlive(): Promise<void> {
      const isKnown = await timed(
        `update servers set alive_until = clock_timestamp() + $2 * interval '1 ms' where id = $1`,
        ...[server, lease.life],
      );
      if (!isKnown) await enter();
    },
    /** Rejects if the database accepts no writes; registers this server again if it was removed. */
    async insist(): Promise<void> {
      const found = await write('update servers set keys = keys where id = $1 returning 1', server);
      if (found.length === 0) await enter();
    },
    leave: () => write('delete from servers where id = $1', server),
  };
}
