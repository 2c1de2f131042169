import { sql } from 'kysely';
import type { Database } from './database.ts';
import { columnValues } from './queries.ts';
import type { LineFacts, Location, Tables } from './schema.ts';

/** The names of the facts, in the order of the columns. */
const factNames = ['reference', 'note', 'sum', 'payee_ids', 'ibans', 'numbers', 'name'] as const;

/** A line of a write, with what is known of that. */
export interface StoredLine extends LineFacts, Location {
  /** The number of its write, and its index there. */
  write: number;
  line: number;
  key: string;
  state: string;
  /** '' while the write is not known to have created a batch. */
  batchId: string;
  /** In ms. */
  claimedAt: number;
  isFreed: boolean;
}

/**
 * What each write of a payment pays, line by line, for all users of the server. A line stays as long as its write: also
 * after the company was removed here. `isFreed`: the service has said that the payment failed.
 */
export interface InvoiceLines {
  /** Makes the payments of one payer wait for each other, until the current transaction ends. */
  lock(payer: string): Promise<void>;
  /** Returns the lines that share a reference, a text or a sum with one of these facts, the earliest first. */
  like(facts: readonly LineFacts[]): Promise<StoredLine[]>;
  /** Stores the lines of a write. */
  add(write: number, facts: readonly LineFacts[]): Promise<void>;
  /** Frees the lines of a write, or takes that back. */
  setFreed(write: number, isFreed: boolean): Promise<void>;
}

export function createInvoiceLines({ read, write, alsoLock, isPostgres }: Database<Tables>): InvoiceLines {
  const { isAmong } = columnValues(isPostgres);
  /** The values of a list in JSON with their indexes. */
  const listed = (json: string) =>
    isPostgres
      ? sql`jsonb_array_elements(${json}::jsonb) with ordinality as given (value, ordinal)`
      : sql`(select value, key + 1 as ordinal from json_each(${json})) as given`;

  return {
    lock: (payer) => alsoLock(`payments of ${payer}`),
    async like(facts) {
      const bare = facts.filter(({ reference }) => reference === '');
      const labels = [...new Set(facts.flatMap(({ reference, note }) => [reference || note]))].filter(Boolean);
      const references = [...new Set(facts.map(({ reference }) => reference))].filter(Boolean);
      const sums = [...new Set(facts.map(({ sum }) => sum))].filter(Boolean);
      const bareSums = [...new Set(bare.map(({ sum }) => sum))].filter(Boolean);
      // One look at each index, whose condition each names in its words: otherwise a database reads the whole table.
      const { rows } = await read((db) =>
        sql<{ position: number }>`
          select position from invoice_lines where reference <> '' and ${isAmong('reference', labels)}
          union select position from invoice_lines where reference = '' and note <> '' and ${isAmong('note', references)}
          union select position from invoice_lines where reference = '' and ${isAmong('sum', sums)}
          union select position from invoice_lines where ${isAmong('sum', bareSums)}`.execute(db),
      );
      if (rows.length === 0) return [];
      const positions = isPostgres
        ? sql<boolean>`invoice_lines.position = any(${rows.map(({ position }) => position)}::bigint[])`
        : sql<boolean>`invoice_lines.position in (select value from json_each(${JSON.stringify(rows.map(({ position }) => position))}))`;
      const found = await read((db) =>
        db
          .selectFrom('invoice_lines')
          .innerJoin('writes', 'writes.position', 'invoice_lines.write')
          .select([
            ...factNames.map((name) => `invoice_lines.${name}` as const),
            'write' as const,
            'line' as const,
            'is_freed' as const,
            'key' as const,
            'state' as const,
            'workspace' as const,
            'company_key' as const,
            'created_id' as const,
            'claimed_at' as const,
          ])
          .where(positions)
          .orderBy('invoice_lines.position')
          .execute(),
      );
      return found.map(({ is_freed, company_key: companyKey, created_id, claimed_at: claimedAt, ...row }) => ({
        ...row,
        companyKey,
        claimedAt,
        batchId: created_id ?? '',
        isFreed: is_freed === 1,
      }));
    },
    async add(of, facts) {
      const rows = JSON.stringify(facts.map((each) => factNames.map((name) => each[name])));
      const values = factNames.map((_, index) => sql`value ->> ${sql.lit(index)}`);
      await write((db) =>
        sql`insert into invoice_lines (write, line, is_freed, ${sql.join(factNames.map((name) => sql.ref(name)))})
          select cast(${of} as bigint), ordinal - 1, 0, ${sql.join(values)}
          from ${listed(rows)} order by ordinal`.execute(db),
      );
    },
    async setFreed(of, isFreed) {
      await write((db) =>
        db
          .updateTable('invoice_lines')
          .set({ is_freed: isFreed ? 1 : 0 })
          .where('write', '=', of)
          .where('is_freed', '=', isFreed ? 0 : 1)
          .execute(),
      );
    },
  };
}
