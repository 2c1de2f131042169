import { pause } from '#server/clock.ts';
import type { Database } from './database.ts';
import type { Quarantine } from './quarantine.ts';
import { locations } from './schema.ts';
import type { Tables } from './schema.ts';

/** Number of records read at a time, about a millisecond of work, and the pause (ms) after it: a thousand in a second. */
const [batchSize, pauseAfter] = [50, 50];

/**
 * Reads all records of these kinds once, so that unreadable ones are found before somebody needs them or counts them:
 * quarantines them, or reports them if their kind is vital (CollectionOptions). It reads a thousand in a
 * second, so that other work hardly notices; what was not read when it is `ended` is read after the next start.
 */
export async function sweep(
  database: Database<Tables>,
  quarantine: Quarantine,
  kinds: ReadonlyMap<string, boolean>,
  onError: (error: unknown) => void,
  ended: AbortSignal | undefined,
): Promise<void> {
  for (let after = 0; ;) {
    const rows = await database.read((db) =>
      db.selectFrom('records').selectAll().where('position', '>', after).orderBy('position').limit(batchSize).execute(),
    );
    for (const row of rows) {
      const isVital = kinds.get(row.kind);
      if (isVital === undefined) continue;
      await quarantine.decrypt('records', row, locations.record(row), isVital).catch(onError);
    }
    if (rows.length < batchSize || ended?.aborted) return;
    after = rows.at(-1)!.position; // not empty
    await pause(database.clock, pauseAfter);
  }
}
