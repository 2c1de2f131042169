import { createHash, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '#server/clock.ts';
import { openDatabase } from './database.ts';
import type { Database } from './database.ts';
import type { Engine } from './engine.ts';
import { createEncryption, createTagger } from './encryption.ts';
import type { Encryption, Tag } from './encryption.ts';
import { emptied, isCopied, refuseLoss, replaced } from './errors.ts';
import type { AcceptLoss } from './errors.ts';
import { createInvoiceLines } from './invoiceLines.ts';
import type { InvoiceLines } from './invoiceLines.ts';
import type { StoreKeys } from './keys.ts';
import { anyStore } from './knownStore.ts';
import type { KnownStore } from './knownStore.ts';
import { isPostgres } from './migrate.ts';
import { before, migrations } from './migrations.ts';
import { createQuarantine } from './quarantine.ts';
import type { Quarantine } from './quarantine.ts';
import { collections, recordEventsTopic } from './records.ts';
import type { OpenCollection, RecordKind, Records } from './records.ts';
import {
  completeRotation,
  keyTraits,
  makeIndexKey,
  markCopied,
  openIndexKey,
  prepareKeys,
  reencryptAll,
} from './rotation.ts';
import { locationColumns, ofWorkspace } from './schema.ts';
import type { Location, Tables } from './schema.ts';
import { createSessionStore } from './sessions.ts';
import type { Sessions } from './sessions.ts';
import { createSettings } from './settings.ts';
import type { Settings } from './settings.ts';
import { isMissing } from './sqliteFiles.ts';
import type { OnStatement } from './statements.ts';
import { sweep } from './sweep.ts';
import { createTimeline } from './timeline.ts';
import type { StoredTimeline } from './timeline.ts';
import { createWrites } from './writes.ts';
import type { Writes } from './writes.ts';
import { createWorkspaces } from './workspaces.ts';
import type { Workspaces } from './workspaces.ts';

/** What the console stores: everything but ids and idempotency keys is encrypted. */
export interface Storage extends Pick<
  Database<Tables>,
  | 'transaction'
  | 'tryLock'
  | 'withLock'
  | 'publish'
  | 'subscribe'
  | 'isShared'
  | 'clock'
  | 'assertWritable'
  | 'connections'
  | 'close'
> {
  /** Is new for each store; a backup and a copy have it too. */
  id: string;
  collection: OpenCollection;
  /** The records of one kind in a company; those that belong to the workspace are the same for all its companies. */
  records<Value>(kind: RecordKind<Value>, at: Location): Records<Value>;
  settings: Settings;
  writes: Writes;
  invoiceLines: InvoiceLines;
  /** Hashes texts under a key of the store, so that rows are found by a text that the database does not hold. */
  tag: Tag;
  timeline<Value>(): StoredTimeline<Value>;
  sessions<Value>(): Sessions<Value>;
  quarantine: Quarantine;
  workspaces: Workspaces;
  /** Encrypts values that are stored elsewhere, such as cookies. */
  encryption: Encryption;
  /** Removes everything that belongs to a company, but for what its writes have created and paid, or may have. */
  removeCompany(at: Location): Promise<void>;
  /**
   * Reads everything once until `ended`, of the records those of these kinds, so that what is unreadable is found before somebody
   * needs it: see sweep.ts. On several servers also re-encrypts what others have written under an older key since the key was changed.
   */
  sweep(kinds: readonly Pick<RecordKind<unknown>, 'kind' | 'isVital'>[], ended?: AbortSignal): Promise<void>;
}

export interface StorageOptions {
  /** `file:` and the path of an SQLite file, which only one process may use at a time; or `postgres:` and a database. */
  url: string;
  /** The first key encrypts; what is encrypted under the others is re-encrypted on opening. */
  keys: StoreKeys;
  /** This machine's clock. */
  clock: Clock;
  onError: (error: unknown) => void;
  /** Called after each statement; absent if nothing is measured. */
  onStatement?: OnStatement | undefined;
  /** What reaches an SQLite database; by default the driver. */
  engine?: Engine | undefined;
  /** The store that has to be there; absent if it may be new. */
  known?: KnownStore | undefined;
  /** By default no loss is accepted. */
  acceptLoss?: AcceptLoss | undefined;
  /** Changes a store of the release before into one of this release; without it, such a store is refused. */
  takeOver?: ((store: Earlier) => Promise<void>) | undefined;
}

/** A store of the release before, in the transaction that changes it. Kysely's types are those of the present tables. */
export interface Earlier {
  db: Kysely<Tables>;
  isPostgres: boolean;
  encryption: Encryption;
  tag: Tag;
}

/** The console's database, opened for keys. */
interface Encrypted {
  database: Database<Tables>;
  encryption: Encryption;
}

/**
 * Opens the console's database for `keys`, and makes the key of its tags if it is new, unless a store is to be copied into
 * it. Rejects as `openDatabase` does, and with DatabaseError if a known store is empty.
 */
export async function openEncrypted(
  { url, keys, clock, onError, onStatement, engine, known, takeOver, acceptLoss = refuseLoss }: StorageOptions,
  isTarget = false,
): Promise<Encrypted> {
  // Before a file is made.
  const [, file] = /^file:(.*)/s.exec(url) ?? [];
  if (known && file !== undefined && isMissing(file)) acceptLoss(emptied(file, known.place));
  const encryption = createEncryption(keys);
  const database = await openDatabase<Tables>({
    url,
    program: 'console',
    migrations,
    before,
    clock,
    onError,
    onStatement,
    engine,
    acceptLoss,
    traits: keyTraits(encryption),
    isExclusive: isTarget,
    takeOver: takeOver && (async (db, name) => takeOver(await earlierIn(db, name, encryption))),
    async onCreated(write, name) {
      if (isTarget) return;
      if (known) acceptLoss(emptied(name, known.place));
      await makeIndexKey(write, encryption);
    },
  });
  return { database, encryption };
}

async function earlierIn(db: Kysely<unknown>, name: string, encryption: Encryption): Promise<Earlier> {
  const typed = db as Kysely<Tables>; // those that stay
  const row = await typed.selectFrom('index_key').select('value').executeTakeFirst();
  // Without a key nothing is found by its tags; `prepareKeys` refuses such a store.
  const key = row ? openIndexKey({ name }, encryption, row.value) : randomBytes(32);
  return { db: typed, isPostgres: isPostgres(db), encryption, tag: createTagger(key) };
}

/**
 * Prepares the database for its keys; returns the key of its tags and its id, which a copy of it has too. Rejects as
 * `prepareKeys` does, and with DatabaseError if it is not the store that is known, or was copied to another database.
 */
async function prepare({ database, encryption }: Encrypted, { known, acceptLoss = refuseLoss }: StorageOptions) {
  const { name } = database;
  const { indexKey, copiedTo } = await prepareKeys(database, encryption, acceptLoss);
  const id = createHash('sha256').update('store id').update(indexKey).digest('hex').slice(0, 16);
  if (known && known.id !== '' && known.id !== id) acceptLoss(replaced(name));
  if (copiedTo !== null) {
    acceptLoss(isCopied(name, copiedTo));
    await markCopied(database, null);
  }
  return { indexKey, id };
}

/**
 * Re-encrypts everything in the database under the first key, while servers use it. Rejects as `openStorage` does, and
 * with DatabaseError if a server encrypts under another key.
 */
export async function rotateKey(options: StorageOptions): Promise<void> {
  const opened = await openEncrypted({ ...options, known: anyStore });
  const { database, encryption } = opened;
  try {
    await prepare(opened, options);
    await completeRotation(database, encryption);
  } finally {
    await database.close();
  }
}

/**
 * Opens the storage. Rejects with DatabaseError if the file or database cannot be used or lacks what was stored, with
 * UnknownKeyError if it was encrypted with a missing key; nothing is changed then.
 */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const opened = await openEncrypted(options);
  const { database, encryption } = opened;
  const { indexKey, id } = await prepare(opened, options).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  const { onError } = options;
  const { clock } = database;
  const tag = createTagger(indexKey);
  const quarantine = createQuarantine(database, encryption, clock, onError);
  const settings = createSettings(database, encryption, onError);
  const collection = collections(database, { encryption, tag, quarantine });
  const writes = createWrites(database, encryption);

  return {
    ...database,
    id,
    collection,
    records(kind, { workspace, companyKey }) {
      const at = { workspace, companyKey: kind.isOfWorkspace ? ofWorkspace : companyKey };
      const changed = (id: string) => database.publish(recordEventsTopic(workspace), id);
      return collection(kind).at(at, kind.isAnnounced ? changed : undefined);
    },
    async removeCompany(at) {
      await writes.forgetContents(at);
      for (const table of ['records', 'settings'] as const)
        await database.write((db) =>
          db
            .deleteFrom(table)
            .where((on) => on.and(locationColumns(at)))
            .execute(),
        );
    },
    settings,
    writes,
    invoiceLines: createInvoiceLines(database),
    tag,
    timeline: () => createTimeline(database, encryption, quarantine),
    sessions: () => createSessionStore(database, encryption),
    quarantine,
    workspaces: createWorkspaces(database, encryption),
    encryption,
    async sweep(declared, ended) {
      if (database.isShared) await reencryptAll(database, encryption);
      await settings.sweep();
      const kinds = new Map(declared.map(({ kind, isVital = false }) => [kind, isVital]));
      await sweep(database, quarantine, kinds, onError, ended);
    },
  };
}
