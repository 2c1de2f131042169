import type { BatchRecord, Creditor, Debtor, SubscriptionRecord, Webhook } from '#contract/entities.ts';
import type { MessageKind } from '#server/upstream/wire.ts';
import type { JsonObject } from '#rules/payload.ts';
import type { Clock } from '#server/clock.ts';
import type { Db } from '#server/sqlite.ts';
import { openKeyv } from './adapter.ts';
import { claimsIn, forgetOldClaims } from './claims.ts';
import type { Claims } from './claims.ts';
import { openStoreFile } from './database.ts';
import type { StoreKeys } from './keys.ts';
import { entriesOf, recordsIn } from './records.ts';
import type { Records } from './records.ts';
import { reseal } from './reseal.ts';
import { createSeal } from './seal.ts';
import type { Seal } from './seal.ts';
import { sessionsIn } from './sessions.ts';
import type { Sessions } from './sessions.ts';

/** Settings that are stored under their own key; the lists of records are assembled on reading. */
export const storedSettings = [
  'subscriptionId',
  'providerId',
  'providerCountry',
  'fileFormatCountry',
  'acceptLanguage',
  'useMock',
  'useNetwork',
  'organisationId',
  'companyId',
  'companySigningKey',
  'accountId',
  'dataSetId',
  'userJwt',
  'batchId',
  /** Not in the contract: the company for which an access token was obtained. */
  'accessTokenOf',
] as const;
export type StoredSetting = (typeof storedSettings)[number];

/** A message that was forwarded (202) and what its webhook made of it. */
export interface Message {
  resourceId: string;
  /** The idempotency key that it was sent with; '' if the service refused it. */
  key: string;
  kind: MessageKind;
  state: 'waiting' | 'accepted' | 'refused';
  detail: string;
  data: JsonObject;
}

/** A login under way, kept under its `state`; `startedAt` in ms. */
interface Login {
  startedAt: number;
}

export interface Store {
  settings: {
    /** Settings that were never written are absent. */
    read(): Promise<Partial<Record<StoredSetting, string>>>;
    write(key: StoredSetting, value: string): Promise<void>;
    /** All of them or, if the process ends meanwhile, none. */
    writeAll(values: Partial<Record<StoredSetting, string>>): Promise<void>;
  };
  subscriptions: Records<SubscriptionRecord>;
  batches: Records<BatchRecord>;
  debtors: Records<Debtor>;
  creditors: Records<Creditor>;
  messages: Records<Message>;
  webhooks: Records<Webhook & { unread: boolean }>;
  logins: Records<Login>;
  claims: Claims;
}

/** The stores of all workspaces, in one file. */
export interface Stores {
  /** Every namespace carries the workspace's name. */
  of(workspace: string): Store;
  /** The workspace that keeps a record under this id; ids are the service's and never given out twice. */
  ownerOf(kind: 'subscriptions' | 'batches', id: string): string | undefined;
  sessions: Sessions;
  /** For what is kept elsewhere, in the browser for instance. */
  seal: Pick<Seal, 'seal' | 'open'>;
  close(): void;
}

export interface StoresOptions {
  /** `file:` and the path of an SQLite file. One process uses it at a time. */
  url: string;
  /** Everything is sealed with the first of them; what an older one sealed is sealed anew on opening. */
  keys: StoreKeys;
  clock: Clock;
  onError: (error: unknown) => void;
}

/**
 * Opens the stores. Throws DatabaseError if the file cannot be used, UnknownKeyError if it was sealed with another key;
 * afterwards a failing store rejects, it never answers "nothing".
 */
export function openStores({ url, keys, clock, onError }: StoresOptions): Stores {
  const db = openStoreFile(url);
  const seal = createSeal(keys);
  reseal(db, seal);
  forgetOldClaims(db, clock);

  return {
    of: (workspace) => storeIn(db, workspace, seal, clock, onError),
    ownerOf(kind, id) {
      const row = db
        .prepare('select namespace from entries where key = ? and namespace glob ?')
        .get(id, `*/${kind}`) as { namespace: string } | undefined; // the statement selects this one column
      return row?.namespace.slice(0, -`/${kind}`.length);
    },
    sessions: sessionsIn(db, seal, clock),
    seal,
    close: () => {
      db.close();
    },
  };
}

function storeIn(db: Db, workspace: string, seal: Seal, clock: Clock, onError: StoresOptions['onError']): Store {
  const keyv = <Value>(kind: string) => openKeyv<Value>(db, `${workspace}/${kind}`, seal, onError);
  const records = <Value>(kind: string): Records<Value> => recordsIn(keyv<Value>(kind));
  const settings = keyv<string>('settings');

  return {
    settings: {
      read: async () => Object.fromEntries(await entriesOf(settings)),
      async write(key, value) {
        await settings.set(key, value);
      },
      async writeAll(values) {
        await settings.setMany(Object.entries(values).map(([key, value]) => ({ key, value })));
      },
    },
    subscriptions: records('subscriptions'),
    batches: records('batches'),
    debtors: records('debtors'),
    creditors: records('creditors'),
    messages: records('messages'),
    webhooks: records('webhooks'),
    logins: records('logins'),
    claims: claimsIn(db, workspace, seal, clock),
  };
}
