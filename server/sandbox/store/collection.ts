import { parse, stringify } from '#contract/json.ts';
import type { SandboxStore } from './store.ts';

/** An application's records of one kind, by id; JSON. */
export interface Collection<Value> {
  find: (id: string) => Promise<Value | undefined>;
  /** Returns the records whose id begins with `prefix`, oldest first. */
  list: (prefix: string) => Promise<Value[]>;
  /** Returns the ids of the records whose id begins with `prefix`. */
  ids: (prefix: string) => Promise<Set<string>>;
  /** Returns the latest records, newest first. */
  latest: (limit: number) => Promise<Value[]>;
  /** Resolves with false, without a change, if a record with this id exists. */
  add: (id: string, record: Value) => Promise<boolean>;
  save: (id: string, record: Value) => Promise<void>;
  /** Resolves with false if no such record exists. */
  remove: (id: string) => Promise<boolean>;
}

const insert = 'insert into resource (application, kind, id, json) values (?, ?, ?, ?) on conflict';

/** Returns an application's records of one kind. */
export function collectionOf<Value>(
  { rows, write }: Pick<SandboxStore, 'rows' | 'write'>,
  application: string,
  kind: string,
): Collection<Value> {
  const parsed = (found: readonly { json: string }[]): Value[] => found.map(({ json }) => parse(json) as Value); // rows are written only below, with this type

  return {
    async find(id) {
      const where = 'application = ? and kind = ? and id = ?';
      return parsed(await rows(`select json from resource where ${where}`, application, kind, id))[0];
    },
    async list(prefix) {
      const where = 'application = ? and kind = ? and substr(id, 1, length(?)) = ?';
      return parsed(
        await rows(`select json from resource where ${where} order by rowid`, application, kind, prefix, prefix),
      );
    },
    async ids(prefix) {
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
    async latest(limit) {
      const where = 'application = ? and kind = ?';
      return parsed(
        await rows(`select json from resource where ${where} order by rowid desc limit ?`, application, kind, limit),
      );
    },
    async add(id, record) {
      const added = await write(`${insert} do nothing returning id`, application, kind, id, stringify(record));
      return added.length === 1;
    },
    async save(id, record) {
      await write(
        `${insert} (application, kind, id) do update set json = excluded.json`,
        application,
        kind,
        id,
        stringify(record),
      );
    },
    async remove(id) {
      const where = 'application = ? and kind = ? and id = ?';
      const removed = await write(`delete from resource where ${where} returning id`, application, kind, id);
      return removed.length === 1;
    },
  };
}
