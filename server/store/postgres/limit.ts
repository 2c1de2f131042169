import type { Clock } from '#server/clock.ts';
import { createRate } from '#server/http/rate.ts';
import type { Rate } from '#server/http/rate.ts';
import type { Engine } from '#server/store/engine.ts';
import type { Connections } from './connections.ts';

/** Time (ms) for which a server may use the tokens it has taken. */
const life = 1000;
/** Maximum time (ms) to wait for the database. */
const patience = 1000;
/** Maximum number of callers for whom this server holds tokens. */
const most = 10_000;

/**
 * Rate limits with a token bucket for each caller in the database. A server takes the tokens of a tenth of a second at
 * a time, to save queries; those not used within a second are lost. If the database fails or does not answer within a
 * second, each server limits by itself.
 */
export const limitsIn =
  ({ writeRelaxed }: Connections, clock: Pick<Clock, 'steady'>): Engine['limit'] =>
  (name, { perSecond, burst }: Rate) => {
    const portion = Math.max(1, Math.floor(perSecond / 10));
    const alone = createRate({ perSecond, burst }, clock);
    const held = new Map<string, { left: number; until: number }>();
    const full = `least($2::float8, rates.tokens + $3 * greatest(0, extract(epoch from statement_timestamp() - rates.at)))`;

    async function take(caller: string): Promise<number> {
      const [row] = await writeRelaxed<{ tokens: number; taken: number }>(
        `insert into rates (caller, tokens, taken, at) values ($1, $2 - $4::float8, $4, statement_timestamp())
         on conflict (caller) do update set taken = least($4, floor(${full})), tokens = ${full} - least($4, floor(${full})),
           at = greatest(rates.at, statement_timestamp())
         returning tokens, taken`,
        ...[`${name} ${caller}`, burst, perSecond, Math.min(portion, burst)],
      );
      if (!row || row.taken < 1) return Math.ceil((1 - (row?.tokens ?? 0)) / perSecond);
      if (held.size >= most) held.clear();
      if (row.taken > 1) held.set(caller, { left: row.taken - 1, until: clock.steady() + life });
      return 0;
    }

    return async (caller) => {
      const its = held.get(caller);
      if (its && its.left > 0 && clock.steady() < its.until) {
        its.left -= 1;
        return 0;
      }
      held.delete(caller);
      let timer: NodeJS.Timeout | undefined;
      const tooLate = new Promise<never>((_resolve, reject) => (timer = setTimeout(reject, patience)));
      try {
        return await Promise.race([take(caller), tooLate]);
      } catch {
        return alone(caller);
      } finally {
        clearTimeout(timer);
      }
    };
  };
