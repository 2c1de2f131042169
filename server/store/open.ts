import type { Clock } from '#server/clock.ts';
import { openStoreFile } from './database.ts';
import type { Engine } from './engine.ts';
import { reseal } from './reseal.ts';
import type { Seal } from './seal.ts';
import { sqliteEngine } from './sqliteEngine.ts';
import { mendTallies } from './tallies.ts';
import type { Unreadable } from './tallies.ts';

interface Needs {
  seal: Seal;
  clock: Clock;
}

/** Opens the engine of a store's URL. Returns also the rows found that cannot be read. */
export function openEngine(url: string, { seal, clock }: Needs): { engine: Engine; unreadable: Unreadable[] } {
  const db = openStoreFile(url);
  reseal(db, seal);
  return { engine: sqliteEngine(db, () => clock.now()), unreadable: mendTallies(db, seal) };
}
