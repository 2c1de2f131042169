import type { Engine } from '#server/store/engine.ts';
import type { Connections } from './connections.ts';
import type { LettingGo } from './lettingGo.ts';

/** SQL condition: the server named in this column is alive. */
export const isAlive = (column: string) =>
  `exists (select from servers where servers.id = ${column} and servers.alive_until > clock_timestamp())`;

interface Found {
  fingerprint: string;
  answer: string | null;
  /** In ms. */
  age: number;
  isHeld: boolean;
}

/** Returns the claims for `server`. `now` returns the database's time (ms). */
export function claimsIn(
  { rows, write }: Connections,
  lettingGo: LettingGo,
  server: string,
  now: () => number,
): Engine['claims'] {
  /** Clears the server of a claim; '' is no server's name. */
  const leave = (key: string) => () =>
    write(`update claims set server = '' where key = $1 and server = $2 and answer is null`, key, server);
  const take = <T>(key: string, run: () => Promise<T>) => lettingGo.taking(`claim ${key}`, run, leave(key));

  return {
    claim: (key, fingerprint) =>
      take(key, async () => {
        for (;;) {
          const added = await write(
            'insert into claims (key, fingerprint, server) values ($1, $2, $3) on conflict (key) do nothing returning 1',
            ...[key, fingerprint, server],
          );
          if (added.length > 0) return undefined;
          const [row] = await rows<Found & Record<string, unknown>>(
            `select fingerprint, answer, extract(epoch from clock_timestamp() - claimed_at)::float8 * 1000 as age,
               server <> $2 and ${isAlive('claims.server')} as "isHeld"
             from claims where key = $1`,
            ...[key, server],
          );
          // The claim may have been released meanwhile.
          if (row) return { ...row, claimedAt: Math.floor(now() - row.age) };
        }
      }),
    exists: async (key) => (await rows('select 1 from claims where key = $1', key)).length > 0,
    takeOver: (key) =>
      take(key, async () => {
        const taken = await write(
          `update claims set server = $2 where key = $1 and answer is null
           and (server = $2 or not ${isAlive('claims.server')}) returning 1`,
          ...[key, server],
        );
        return taken.length > 0;
      }),
    // If another server took over the claim meanwhile, both sent the same request; the other server's answer is kept.
    async finish(key, answer) {
      await write(
        'update claims set answer = $2 where key = $1 and server = $3 and answer is null',
        key,
        answer,
        server,
      );
    },
    release: (key) =>
      lettingGo.letGo(`claim ${key}`, () => write('delete from claims where key = $1 and server = $2', key, server)),
    leave: (key) => lettingGo.letGo(`claim ${key}`, leave(key)),
    async forgetWebhooks(age) {
      await write(
        `delete from claims where key ~ '^[^/]*/webhook/' and claimed_at < clock_timestamp() - $1 * interval '1 ms'`,
        age,
      );
    },
  };
}
