import { following } from '#server/clock.ts';
import type { Clock } from '#server/clock.ts';
import { openStoreFile } from './database.ts';
import type { Engine } from './engine.ts';
import { openPostgres } from './postgres/engine.ts';
import { reseal } from './reseal.ts';
import type { Seal } from './seal.ts';
import { sqliteEngine } from './sqliteEngine.ts';
import { isSharedUrl } from './url.ts';
import { mendTallies } from './tallies.ts';
import type { Unreadable } from './tallies.ts';

interface Opened {
  engine: Engine;
  /** The clock that all servers of the store have in common. */
  clock: Clock;
  /** Rows that cannot be read. */
  unreadable: Unreadable[];
}

/** Opens the engine for a store's URL; `clock` is this machine's. */
export async function openEngine(
  url: string,
  seal: Seal,
  clock: Clock,
  onError: (error: unknown) => void,
): Promise<Opened> {
  if (isSharedUrl(url)) {
    const common = following(clock);
    const engine = await openPostgres(url, {
      seal,
      clock,
      follow: (offset) => common.follow(offset),
      onError,
    });
    return { engine, clock: common, unreadable: [] };
  }
  const db = openStoreFile(url);
  reseal(db, seal);
  return { engine: sqliteEngine(db, clock), clock, unreadable: mendTallies(db, seal) };
}
