import { Problem } from '../http/problem.ts';
import type { SandboxStore } from './store.ts';

/** The part of the store that belongs to one application; the first `?` of each statement is the application. */
export interface Share extends Pick<SandboxStore, 'rows' | 'write' | 'afterwards'> {
  application: string;
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

/** Opens an application's part, which is usable until the application is emptied. */
export function openShare(store: SandboxStore, application: string): Share {
  let isEmptied = false;
  const transaction = <T>(run: () => Promise<T>) => store.transaction(application, run);

  return {
    application,
    rows: store.rows,
    afterwards: store.afterwards,
    transaction,
    write: (text, ...values) =>
      transaction(() => {
        if (isEmptied) throw new Problem(409, 'The sandbox was emptied meanwhile; nothing was done');
        return store.write(text, ...values);
      }),
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
export async function applicationsAtWork({ rows }: Pick<SandboxStore, 'rows'>): Promise<string[]> {
  const found = await rows<{ application: string }>('select distinct application from job');
  return found.map(({ application }) => application);
}
