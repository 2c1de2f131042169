import { Problem } from '../http/problem.ts';
import { collectionOf, type Collection } from './collection.ts';
import type { SandboxStore } from './sandboxStore.ts';

/** The part of the store that belongs to one application. */
export interface TenantStore extends Pick<SandboxStore, 'read' | 'select' | 'write' | 'afterCommit'> {
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
  const { read, select, afterCommit } = store;
  let isEmptied = false;
  const transaction = <T>(run: () => Promise<T>) => store.transaction(application, run);
  const write: SandboxStore['write'] = (statement) =>
    transaction(() => {
      if (isEmptied) throw new Problem(409, 'The sandbox was emptied meanwhile; nothing was done');
      return store.write(statement);
    });

  return {
    application,
    collection: <Value>(kind: string) => collectionOf<Value>({ read, select, write }, application, kind),
    read,
    select,
    write,
    afterCommit,
    transaction,
    isEmptied: () => isEmptied,
    async empty() {
      await transaction(async () => {
        await store.write((db) =>
          db.deleteFrom('records').where('workspace', '=', application).where('kind', '<>', 'key').execute(),
        );
        for (const table of ['stored_answers', 'jobs', 'deliveries'] as const)
          await store.write((db) => db.deleteFrom(table).where('application', '=', application).execute());
        isEmptied = true;
      }).catch((error: unknown) => {
        isEmptied = false;
        throw error;
      });
    },
  };
}

/** Returns the applications with pending jobs. */
export async function applicationsWithJobs({ read }: Pick<SandboxStore, 'read'>): Promise<string[]> {
  const found = await read((db) => db.selectFrom('jobs').select('application').distinct().execute());
  return found.map(({ application }) => application);
}
