import { Problem } from '../http/problem.ts';
import { collectionOf, type Collection } from './collection.ts';
import type { SandboxStore } from './store.ts';

/** The part of the store that belongs to one application; the first `?` of each statement is the application. */
export interface TenantStore extends Pick<SandboxStore, 'rows' | 'write' | 'afterCommit'> {
  application: string;
  /** Returns the application's records of one kind; an area declares each kind once. */
  collection: <Value>(kind: string) => Collection<Value>;
  /**
   * Runs a function in a transaction, serialised within the application. If it rejects, its writes are rolled back. It
   * must not wait for anything but the store.
   */
  transaction: <T>(run: () => Promise<T>) => Promise<T>;
  /** Whether the application was emptied: earlier work then writes nothing more, but rejects with a 409 problem. */
  isEmptied: () => boolean;
  /** Deletes everything but the signing key of tokens: resources, stored answers, pending jobs and sent webhooks. */
  empty: () => Promise<void>;
}

/** What an area needs to declare its records. */
export type Collections = Pick<TenantStore, 'collection'>;

/** Opens an application's part, which is usable until the application is emptied. */
export function openTenantStore(store: SandboxStore, application: string): TenantStore {
  let isEmptied = false;
  const transaction = <T>(run: () => Promise<T>) => store.transaction(application, run);
  const write: SandboxStore['write'] = (text, ...values) =>
    transaction(() => {
      if (isEmptied) throw new Problem(409, 'The sandbox was emptied meanwhile; nothing was done');
      return store.write(text, ...values);
    });

  return {
    application,
    collection: <Value>(kind: string) => collectionOf<Value>({ rows: store.rows, write }, application, kind),
    rows: store.rows,
    afterCommit: store.afterCommit,
    transaction,
    write,
    isEmptied: () => isEmptied,
    async empty() {
      await transaction(async () => {
        await store.write("delete from resource where application = ? and kind <> 'key'", application);
        for (const table of ['answer', 'job', 'sent'])
          await store.write(`delete from ${table} where application = ?`, application);
        isEmptied = true;
      }).catch((error: unknown) => {
        isEmptied = false;
        throw error;
      });
    },
  };
}

/** Returns the applications with pending jobs. */
export async function applicationsWithJobs({ rows }: Pick<SandboxStore, 'rows'>): Promise<string[]> {
  const found = await rows<{ application: string }>('select distinct application from job');
  return found.map(({ application }) => application);
}
