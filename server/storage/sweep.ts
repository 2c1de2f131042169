import { pause } from '#server/clock.ts';
import type { Database } from './database.ts';
import type { Encryption } from './encryption.ts';
import type { Quarantine } from './quarantine.ts';
import { reencryptAll } from './rotation.ts';
import { locations } from './schema.ts';
import type { Tables } from './schema.ts';
import type { Settings } from './settings.ts';

/** Number of records read at a time: about a millisecond of work. */
const batchSize = 50;
/** How many times as long as such work the pause after it is, so that requests hardly wait for it. */
const pauseFactor = 3;

interface Needs {
  database: Database<Tables>;
  encryption: Encryption;
  quarantine: Quarantine;
  settings: Settings;
  /** Whether a record of each kind is vital (CollectionOptions). Records of other kinds are left alone. */
  kinds: ReadonlyMap<string, boolean>;
  onError: (error: unknown) => void;
  /** Ends it early: what was not read is read after the next start. */
  ended: AbortSignal | undefined;
}

/**
 * Reads everything once, so that unreadable records are found before somebody needs them or counts them: quarantines
 * them, or reports them if they are vital. On several servers also re-encrypts what others have written under an older
 * key since the key was changed. Other work goes first, so that it
 * may take minutes.
 */
export async function sweep({
  database,
  encryption,
  quarantine,
  settings,
  kinds,
  onError,
  ended,
}: Needs): Promise<void> {
  if (database.isShared) await reencryptAll(database, encryption);
  await settings.sweep();
  for (let after = 0; ;) {
    const begun = performance.now();
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
    await pause(database.clock, (performance.now() - begun) * pauseFactor);
  }
}
