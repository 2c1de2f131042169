import type { Db } from '#server/sqlite/sqlite.ts';
import type { Seal } from './seal.ts';
import { resealed, sealedColumns } from './sealedColumns.ts';

/**
 * Re-encrypts, in one transaction, every value encrypted under an older key with the current key; the older keys are
 * then no longer needed. Leaves values that were tampered with unreadable; their readers handle that. Throws
 * UnknownKeyError for a value whose key is missing.
 */
export function reseal(db: Db, seal: Seal): void {
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
      for (const { row, value, place: at } of rows) update.run(resealed(value, at, seal), row);
      changes += rows.length;
    }
    // Tags depend on the older key; tallies.ts recreates them.
    if (changes > 0) db.prepare('update entries set owner = null where owner is not null').run();
  })();
  // Old values remain in free pages and in the write-ahead log until both are rewritten.
  if (changes > 0) db.exec('vacuum; pragma wal_checkpoint(truncate)');
}
