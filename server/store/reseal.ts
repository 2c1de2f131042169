import type { Db } from '#server/sqlite.ts';
import { UnknownKeyError } from './seal.ts';
import type { Seal } from './seal.ts';

/** All encrypted columns. `place` is the SQL expression for the place to which a value is bound. */
const sealedColumns = [
  { table: 'entries', column: 'value', place: "namespace || '/' || key" },
  { table: 'claims', column: 'fingerprint', place: "'claims/fingerprint/' || key" },
  { table: 'sessions', column: 'value', place: "'sessions/' || key" },
  { table: 'claims', column: 'answer', place: "'claims/answer/' || key" },
] as const;

/**
 * Re-encrypts, in one transaction, everything that is encrypted under an older key with the current key; the older keys
 * are not needed afterwards. Values that were tampered with stay unreadable, and their readers handle that. Throws
 * UnknownKeyError for a value whose key is missing.
 */
export function reseal(db: Db, seal: Seal): void {
  const resealed = (value: string, place: string): string => {
    try {
      return seal.seal(seal.open(value, place), place);
    } catch (error) {
      if (error instanceof UnknownKeyError) throw error;
      return `unreadable ${value}`; // without the prefix of a key that will be removed
    }
  };
  let changes = 0;
  db.transaction(() => {
    for (const { table, column, place } of sealedColumns) {
      const rows = db
        .prepare(
          `select rowid as row, ${column} as value, ${place} as place from ${table}
           where ${column} glob ? and ${column} not glob ?`,
        )
        .all(`${seal.mark}*`, `${seal.currentMark}*`) as { row: number; value: string; place: string }[]; // the statement's columns
      const update = db.prepare(`update ${table} set ${column} = ? where rowid = ?`);
      for (const { row, value, place: at } of rows) update.run(resealed(value, at), row);
      changes += rows.length;
    }
    // Tags were made with the older key; tallies.ts makes them anew.
    if (changes > 0) db.prepare('update entries set owner = null where owner is not null').run();
  })();
  // Old values remain in free pages and in the write-ahead log until both are rewritten.
  if (changes > 0) db.exec('vacuum; pragma wal_checkpoint(truncate)');
}
