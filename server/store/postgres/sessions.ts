import type { Engine, SessionRow } from '#server/store/engine.ts';
import type { Connections } from './connections.ts';

export function sessionsIn({ rows, write }: Connections): Engine['sessions'] {
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
