import { parse as parseJson, stringify } from '#contract/json.ts';
import type { Records } from '../records.ts';
import type { Share } from './tenantStore.ts';

const insert = 'insert into resource (application, kind, id, json) values (?, ?, ?, ?) on conflict';

/** An application's resources: JSON records by kind and id. */
export function createStorage({ application, rows, write }: Pick<Share, 'application' | 'rows' | 'write'>) {
  const parsed = <K extends keyof Records>(found: readonly { json: string }[]): Records[K][] =>
    found.map(({ json }) => parseJson(json) as Records[K]); // rows are written only below, each with its kind's type

  return {
    async find<K extends keyof Records>(kind: K, id: string): Promise<Records[K] | undefined> {
      const where = 'application = ? and kind = ? and id = ?';
      return parsed<K>(await rows(`select json from resource where ${where}`, application, kind, id))[0];
    },
    /** Returns the records whose id begins with `prefix`, oldest first. */
    async list<K extends keyof Records>(kind: K, prefix: string): Promise<Records[K][]> {
      const where = 'application = ? and kind = ? and substr(id, 1, length(?)) = ?';
      return parsed<K>(
        await rows(`select json from resource where ${where} order by rowid`, application, kind, prefix, prefix),
      );
    },
    /** Returns the ids of the records whose id begins with `prefix`. */
    async ids(kind: keyof Records, prefix: string): Promise<Set<string>> {
      const where = 'application = ? and kind = ? and substr(id, 1, length(?)) = ?';
      const found = await rows<{ id: string }>(
        `select id from resource where ${where}`,
        application,
        kind,
        prefix,
        prefix,
      );
      return new Set(found.map(({ id }) => id));
    },
    /** Returns the latest records of a kind, newest first. */
    async latest<K extends keyof Records>(kind: K, limit: number): Promise<Records[K][]> {
      const where = 'application = ? and kind = ?';
      return parsed<K>(
        await rows(`select json from resource where ${where} order by rowid desc limit ?`, application, kind, limit),
      );
    },
    /** Resolves with false, without a change, if a record with this id exists. */
    async add<K extends keyof Records>(kind: K, id: string, record: Records[K]): Promise<boolean> {
      const added = await write(`${insert} do nothing returning id`, application, kind, id, stringify(record));
      return added.length === 1;
    },
    async save<K extends keyof Records>(kind: K, id: string, record: Records[K]): Promise<void> {
      await write(
        `${insert} (application, kind, id) do update set json = excluded.json`,
        application,
        kind,
        id,
        stringify(record),
      );
    },
    /** Resolves with false if no such record exists. */
    async remove(kind: keyof Records, id: string): Promise<boolean> {
      const where = 'application = ? and kind = ? and id = ?';
      const removed = await write(`delete from resource where ${where} returning id`, application, kind, id);
      return removed.length === 1;
    },
  };
}

export type SandboxStorage = ReturnType<typeof createStorage>;
