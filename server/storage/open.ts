import type { Clock } from '#server/clock.ts';
import { createCollection } from './collection.ts';
import type { Collection, CollectionOptions } from './collection.ts';
import { openDatabase } from './database.ts';
import type { Database } from './database.ts';
import { createEncryption, tagging } from './encryption.ts';
import type { Encryption } from './encryption.ts';
import { createIdempotencyKeys } from './idempotencyKeys.ts';
import type { IdempotencyKeys } from './idempotencyKeys.ts';
import type { StoreKeys } from './keys.ts';
import { migrations } from './migrations.ts';
import { createPaidInvoices } from './paidInvoices.ts';
import type { PaidInvoices } from './paidInvoices.ts';
import { createQuarantine } from './quarantine.ts';
import type { Quarantine } from './quarantine.ts';
import { keyTrait, prepareKeys } from './rotation.ts';
import type { Tables } from './schema.ts';
import { createSessions } from './sessions.ts';
import type { Sessions } from './sessions.ts';
import { createSettings } from './settings.ts';
import type { Settings } from './settings.ts';
import { sweep } from './sweep.ts';
import { createTimeline } from './timeline.ts';
import type { StoredTimeline } from './timeline.ts';

/** What the console stores: everything but ids and idempotency keys is encrypted. */
export interface Storage extends Pick<
  Database<Tables>,
  | 'transaction'
  | 'isInTransaction'
  | 'afterCommit'
  | 'tryLock'
  | 'withLock'
  | 'publish'
  | 'subscribe'
  | 'isShared'
  | 'clock'
  | 'assertWritable'
  | 'close'
> {
  /** Declares the records of one kind, once for each kind. */
  collection<Value>(kind: string, options?: CollectionOptions<Value>): Collection<Value>;
  settings: Settings;
  idempotencyKeys: IdempotencyKeys;
  paidInvoices: PaidInvoices;
  timeline<Value>(): StoredTimeline<Value>;
  sessions<Value>(): Sessions<Value>;
  quarantine: Pick<Quarantine, 'list' | 'count'>;
  /** Encrypts values that are stored elsewhere, such as cookies. */
  encryption: Pick<Encryption, 'encrypt' | 'decrypt'>;
  /** Reads all records of the declared kinds, to find those that are unreadable: see sweep.ts. */
  sweep(): Promise<void>;
}

export interface StorageOptions {
  /** `file:` and the path of an SQLite file, which only one process may use at a time; or `postgres:` and a database. */
  url: string;
  /** The first key encrypts; what is encrypted under the others is re-encrypted on opening. */
  keys: StoreKeys;
  /** This machine's clock. */
  clock: Clock;
  onError: (error: unknown) => void;
}

/** Opens the console's database for `keys`; rejects as `openDatabase` and `prepareKeys` do. */
export async function openEncrypted({ url, keys, clock, onError }: StorageOptions, isExclusive = false) {
  const encryption = createEncryption(keys);
  const traits = encryption.keyIds.map(keyTrait);
  const database = await openDatabase<Tables>({
    ...{ url, program: 'console', migrations, clock, onError, traits, isExclusive },
  });
  return { database, encryption };
}

/**
 * Opens the storage. Rejects with DatabaseError if the file or database cannot be used, with UnknownKeyError if it was
 * encrypted with a missing key; nothing is changed then.
 */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { database, encryption } = await openEncrypted(options);
  const indexKey = await prepareKeys(database, encryption).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  const { onError } = options;
  const { clock } = database;
  const tag = tagging(indexKey);
  const quarantine = createQuarantine(database, encryption, clock, onError);
  const settings = createSettings(database, encryption, onError);
  const kinds = new Map<string, boolean>();

  return {
    transaction: (lock, run) => database.transaction(lock, run),
    isInTransaction: () => database.isInTransaction(),
    afterCommit: (run) => database.afterCommit(run),
    tryLock: (name) => database.tryLock(name),
    withLock: (name, run) => database.withLock(name, run),
    publish: (topic, id) => database.publish(topic, id),
    subscribe: (topic, onMessage) => database.subscribe(topic, onMessage),
    isShared: database.isShared,
    clock,
    assertWritable: () => database.assertWritable(),
    close: () => database.close(),
    collection<Value>(kind: string, collectionOptions: CollectionOptions<Value> = {}) {
      if (kinds.has(kind)) throw new Error(`the records of kind "${kind}" are declared twice`);
      kinds.set(kind, collectionOptions.isVital ?? false);
      return createCollection(kind, collectionOptions, { database, encryption, tag, quarantine });
    },
    settings,
    idempotencyKeys: createIdempotencyKeys(database, encryption),
    paidInvoices: createPaidInvoices(database, encryption, tag),
    timeline: () => createTimeline(database, encryption, quarantine),
    sessions: () => createSessions(database, encryption),
    quarantine,
    encryption,
    sweep: () => sweep({ database, encryption, quarantine, settings, kinds, onError }),
  };
}
