import type { Db } from '#server/sqlite.ts';
import { UnknownKeyError } from './seal.ts';
import type { Seal } from './seal.ts';
import { UnreadableError } from './setAside.ts';
import type { Aside } from './setAside.ts';

/** Everything that is sealed: table, column, and the place of a value in terms of its row. */
const sealedColumns = [
  { table: 'entries', column: 'value', place: "namespace || '/' || key" },
  { table: 'claims', column: 'fingerprint', place: "'claims/fingerprint/' || key" },
  { table: 'sessions', column: 'value', place: "'sessions/' || key" },
  { table: 'claims', column: 'answer', place: "'claims/answer/' || key" },
] as const;

/**
 * Seals under the current key what is not: values of older keys, and those that were kept before there was sealing.
 * All of them or none; afterwards the file holds nothing of what they were. Records that were changed are set aside.
 * Throws UnknownKeyError, and for other values as Seal.open does.
 */
export function reseal(db: Db, seal: Seal, aside: Aside): void {
  let changes = 0;
  const unreadable: { row: number; error: UnreadableError }[] = [];
  const opened = (table: string, row: number, value: string, place: string): string | undefined => {
    if (!value.startsWith(seal.mark)) return value;
    try {
      return seal.open(value, place);
    } catch (error) {
      if (table !== 'entries' || error instanceof UnknownKeyError) throw error;
      unreadable.push({ row, error: new UnreadableError(place, error) });
      return undefined;
    }
  };
  db.transaction(() => {
    for (const { table, column, place } of sealedColumns) {
      const rows = db
        .prepare(`select rowid as row, ${column} as value, ${place} as place from ${table} where ${column} not glob ?`)
        .all(`${seal.currentMark}*`) as { row: number; value: string; place: string }[]; // the statement's columns
      const update = db.prepare(`update ${table} set ${column} = ? where rowid = ?`);
      for (const { row, value, place: at } of rows) {
        const text = opened(table, row, value, at);
        if (text !== undefined) update.run(seal.seal(text, at), row);
      }
      changes += rows.length;
    }
  })();
  for (const { row, error } of unreadable) aside.take(row, error);
  // Old values live on in free pages and in the write-ahead log until both are written anew.
  if (changes > 0) db.exec('vacuum; pragma wal_checkpoint(truncate)');
}
