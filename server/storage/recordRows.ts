import { parse, stringify } from '#contract/json.ts';
import { escapeId } from '#server/escapeId.ts';
import type { Encryption, Tag } from './encryption.ts';
import type { Quarantine } from './quarantine.ts';
import { locationColumns, locations } from './schema.ts';
import type { Location, RecordRow } from './schema.ts';

/** The columns by which records are found and counted. The database holds tags of their values. */
type Column = 'subject' | 'state' | 'name' | 'alias';
export type Where = Partial<Record<Column, string>>;

export interface RecordColumns<Value> {
  /**
   * What a record is about (the id of another entity), its state, and up to two names that its content gives it;
   * undefined for a record that has none.
   */
  columns?: Partial<Record<Column, (value: Value) => string | undefined>>;
  /**
   * Whether a missing record would do harm, as that of a payment would have it paid again. Reading such a record then
   * throws UnreadableError while it is unreadable; other records are quarantined.
   */
  isVital?: boolean;
}

export interface Entry<Value> {
  id: string;
  position: number;
  value: Value;
}

/** How stored values are protected; the sandbox's are not. */
export interface Protection {
  encryption: Pick<Encryption, 'encrypt'>;
  tag: Tag;
  quarantine: Pick<Quarantine, 'decrypt'>;
}

/** A row as it is read. */
export type StoredRow = Omit<RecordRow, 'position'> & { position: number };

/** How the records of one kind become rows of the database, and rows become records. */
export function recordRows<Value>(
  { kind, columns = {}, isVital = false }: RecordColumns<Value> & { kind: string },
  { encryption, tag, quarantine }: Protection,
) {
  const place = (at: Location) => ({ kind, ...locationColumns(at) });

  /** Equal values of other companies, kinds or columns have other tags. */
  const tagBy = ({ workspace, companyKey }: Location, column: Column, value: string): string =>
    tag('records', kind, workspace, companyKey, column, value);
  const tagOf = (at: Location, column: Column, value: string | undefined): string | null =>
    value === undefined ? null : tagBy(at, column, value);

  /**
   * The names of a record. They are not bound to its value as the other columns are: whoever finds a record by a name
   * compares it again, and who could hide one by another name could also delete it.
   */
  const namesOf = (at: Location, value: Value) => ({
    name: tagOf(at, 'name', columns.name?.(value)),
    alias: tagOf(at, 'alias', columns.alias?.(value)),
  });

  async function valueOf(row: StoredRow): Promise<Value | undefined> {
    const text = await quarantine.decrypt('records', row, locations.record(row), isVital);
    return text === undefined ? undefined : (parse(text) as Value); // as it was put
  }

  function rowOf(at: Location, id: string, value: Value): Omit<RecordRow, 'position'> {
    // Databases refuse some characters; SQLite's driver truncates texts at a NUL when it reads them.
    const row = {
      ...place(at),
      id: escapeId(id),
      subject: tagOf(at, 'subject', columns.subject?.(value)),
      state: tagOf(at, 'state', columns.state?.(value)),
    };
    const encrypted = encryption.encrypt(stringify(value), locations.record(row));
    return { ...row, ...namesOf(at, value), value: encrypted };
  }

  async function entriesOf(rows: readonly StoredRow[]): Promise<Entry<Value>[]> {
    const entries: Entry<Value>[] = [];
    for (const row of rows) {
      const value = await valueOf(row);
      if (value !== undefined) entries.push({ id: row.id, position: row.position, value });
    }
    return entries;
  }

  /** What the rows of a location have in common; a tag alone tells the location, and is found in a short index. */
  function rowsAt(at: Location, where: Where = {}): Record<string, string | null> {
    const tags = Object.entries(where).map(([column, value]) => [column, tagBy(at, column as Column, value)] as const); // keys of Where
    return tags.length === 0 ? place(at) : Object.fromEntries(tags);
  }

  return { place, tagBy, tagOf, namesOf, valueOf, rowOf, entriesOf, rowsAt };
}
