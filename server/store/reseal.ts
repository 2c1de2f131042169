import type { Db } from '#server/sqlite.ts';
import type { Seal } from './seal.ts';

/** Everything that is sealed: table, column, and the place of a value in terms of its row. */
const sealedColumns = [
  { table: 'entries', column: 'value', place: "namespace || '/' || key" },
  { table: 'claims', column: 'fingerprint', place: "'claims/fingerprint/' || key" },
  { table: 'sessions', column: 'value', place: "'sessions/' || key" },
  { table: 'claims', column: 'answer', place: "'claims/answer/' || key" },
] as const;

/**
 * Seals under the current key what is not: values of older keys, and those that were kept before there was sealing.
 * All of them or none; afterwards the file holds nothing of what they were. Throws as Seal.open does.
 */
export function reseal(db: Db, seal: Seal): void {
  let changes = 0;
  db.transaction(() => {
    for (const { table, column, place } of sealedColumns) {
      const rows = db
        .prepare(`select rowid as row, ${column} as value, ${place} as place from ${table} where ${column} not glob ?`)
        .all(`${seal.currentMark}*`) as { row: number; value: string; place: string }[]; // the statement's columns
      const update = db.prepare(`update ${table} set ${column} = ? where rowid = ?`);
      for (const { row, value, place: at } of rows)
        update.run(seal.seal(value.startsWith(seal.mark) ? seal.open(value, at) : value, at), row);
      changes += rows.length;
    }
  })();
  // Old values live on in free pages and in the write-ahead log until both are written anew.
  if (changes > 0) db.exec('vacuum; pragma wal_checkpoint(truncate)');
}
