import type { Keyv } from 'keyv';
import type { BatchRecord } from '#contract/batch.ts';
import type { Made } from '#contract/facts.ts';
import type { Creditor, Debtor } from '#contract/party.ts';
import type { SubscriptionRecord } from '#contract/subscription.ts';
import type { Metrics } from '#server/metrics/metrics.ts';
import { outlineOf } from '#server/messages/record.ts';
import type { Message, MessageOutline } from '#server/messages/record.ts';
import type { Clock } from '#server/clock.ts';
import type { Chunk } from '#server/record/chunk.ts';
import type { ProgramToken } from '#server/programs/tokens.ts';
import type { PaymentAttempt } from '#server/payments/register.ts';
import type { KeptWebhook } from '#server/webhooks/inbox.ts';
import { openKeyv } from './adapter.ts';
import type { Engine } from './engine.ts';
import type { Shared } from './adapter.ts';
import { claimsIn } from './claims.ts';
import type { Claims } from './claims.ts';
import { measuredEngine } from './measuredEngine.ts';
import { openEngine } from './open.ts';
import type { StoreKeys } from './keys.ts';
import { createKept, keptAt, memoIn } from './memo.ts';
import type { Kept, Memo } from './memo.ts';
import { firstScope, isOfWorkspace, namespaceOf, placeOf } from './namespaces.ts';
import type { Place } from './namespaces.ts';
import { createNews, followed, telling } from './news.ts';
import type { Followed, News } from './news.ts';
import { createOutlines, outlined } from './outlines.ts';
import type { Outlined, Outlines } from './outlines.ts';
import { recordsIn } from './records.ts';
import type { Records } from './records.ts';
import { scopesIn } from './scopes.ts';
import type { Scopes } from './scopes.ts';
import { createSeal } from './seal.ts';
import type { Seal } from './seal.ts';
import { settingsIn } from './settings.ts';
import type { StoredSettings } from './settings.ts';
import { visibleId } from '#server/http/visible.ts';
import { forgetOddSessions, sessionsIn } from './sessions.ts';
import type { Sessions } from './sessions.ts';
import { asideIn, unreadableSettingsIn } from './setAside.ts';
import type { Aside, SetAside } from './setAside.ts';

/** Kinds of records that belong to a scope; each is the last part of a namespace. */
const scopedRecords = [
  'subscriptions',
  'batches',
  'attempts',
  'debtors',
  'creditors',
  'messages',
  'subjects',
  'webhooks',
  'counts',
  'accounts',
  'datasets',
  'made',
] as const;

/** A login in progress, stored under its `state`; `startedAt` in ms. */
interface Login {
  startedAt: number;
}

/** The records of one workspace and one of its scopes. */
export interface Store {
  scopes: Scopes;
  /** The store of the same workspace with another scope. */
  at: (scope: string) => Store;
  settings: StoredSettings;
  subscriptions: Followed<SubscriptionRecord>;
  batches: Followed<BatchRecord>;
  attempts: Records<PaymentAttempt>;
  debtors: Records<Debtor>;
  creditors: Records<Creditor>;
  /** Each write of a message is reported as news. */
  messages: Followed<Message> & Outlined<Message, MessageOutline>;
  /** The id of the latest message about each debtor, creditor or subscription, keyed by the id of that entity. */
  subjects: Records<string>;
  webhooks: Outlined<KeptWebhook, Pick<KeptWebhook, 'id' | 'unread'>>;
  /** Counters. */
  counts: Records<number>;
  /** Accounts and data sets created through this console. */
  accounts: Records<{ id: string }>;
  datasets: Records<{ id: string }>;
  /** How resources were created: one record per kind and id. */
  made: Records<Made>;
  /** Tokens of programs, each under its hash; they belong to the workspace. */
  programs: Records<{ key: string; token: ProgramToken }>;
  /** Logins, the timeline and claims belong to the workspace, not to a scope. */
  logins: Records<Login>;
  /** The timeline in chunks, each under the id of its first entry. */
  timeline: Records<Chunk>;
  claims: Claims;
  /**
   * Returns the cached result of `read` under this key; reads again after a write to these kinds of records in this
   * scope. The result must not be changed. `length`: `long` for results of thousands of records, of which few are
   * cached.
   */
  memo: <Value>(
    kinds: readonly (typeof scopedRecords)[number][],
    key: string,
    read: () => Promise<Value>,
    length?: keyof Kept,
  ) => Promise<Value>;
  /** Whether another company, of this workspace or another one, has stored a record under this id. */
  isElsewhere: (kind: (typeof scopedRecords)[number], id: string) => Promise<boolean>;
  /** Unreadable records, oldest first. */
  setAside: () => Promise<SetAside[]>;
  /**
   * Runs a function that reads and then writes records of this workspace, serialised with all others of this name. It
   * must be short and make no requests. If it rejects, its writes may be rolled back.
   */
  inTurn: <T>(name: 'messages' | 'payments' | 'programs', run: () => Promise<T>) => Promise<T>;
  /** Runs a function under the lock of this name in this workspace; it may make requests. */
  whileHeld: <T>(name: string, run: () => Promise<T>) => Promise<T>;
}

/** The stores of all workspaces, in one file or database. */
export interface Stores {
  /** Returns the store of a workspace. Without `scope`, each operation uses the current scope. */
  of(workspace: string, scope?: string): Store;
  /**
   * Returns the workspaces and scopes that store a record under this id. The service never issues the id of a
   * subscription or a batch twice.
   */
  ownersOf(kind: 'subscriptions' | 'batches' | 'messages' | 'subjects' | 'programs', id: string): Promise<Place[]>;
  sessions: Sessions;
  news: News;
  /** The clock that all servers of the store have in common. */
  clock: Clock;
  /** The number of set-aside records, and the places of unreadable settings, in all workspaces. */
  unreadable(): Promise<{ setAside: number; settings: string[] }>;
  /** See Engine. */
  limit: Engine['limit'];
  asOne: Engine['asOne'];
  numberFrom: Engine['numberFrom'];
  isShared: boolean;
  /**
   * Calls `hear` with the workspace and id of each timeline chunk that another server writes; with '' for both if some
   * notices may have been lost.
   */
  hearOfTimelines(hear: (workspace: string, id: string) => void): void;
  /** Encrypts values stored elsewhere, such as cookies. */
  seal: Pick<Seal, 'seal' | 'open'>;
  /** Rejects with the error with which a write would fail now. */
  insistOnKeeping(): Promise<void>;
  close(): Promise<void>;
}

export interface StoresOptions {
  /** `file:` and the path of an SQLite file, which only one process may use at a time; or `postgres:` and a database. */
  url: string;
  /** The first key encrypts; values in a file encrypted under the other keys are re-encrypted on opening. */
  keys: StoreKeys;
  /** This machine's clock. */
  clock: Clock;
  onError: (error: unknown) => void;
  /** Absent if nothing is measured. */
  metrics?: Pick<Metrics, 'store'>;
}

/** Age (ms) beyond which a webhook's id is forgotten; the service stops redelivering long before. */
const webhookLife = 14 * 24 * 60 * 60 * 1000;

/**
 * Opens the stores. Rejects with DatabaseError if the file or database cannot be used, with UnknownKeyError if it was
 * encrypted with a missing key. Operations of the stores reject if the store fails; they never return an empty result
 * instead.
 */
export async function openStores({ url, keys, clock: ofMachine, onError, metrics }: StoresOptions): Promise<Stores> {
  const seal = createSeal(keys);
  const { engine: opened, clock, unreadable } = await openEngine(url, seal, ofMachine, onError);
  const engine = metrics ? measuredEngine(opened, metrics.store) : opened;
  // Claims of writes are kept for ever: without its claim, a repeated write would be sent as a new request.
  await engine.claims.forgetWebhooks(webhookLife);
  await forgetOddSessions(engine, clock);
  const aside = asideIn(engine, clock, onError);
  for (const { row, error } of unreadable) await aside.take(row.namespace, row, error);
  const unreadableSettings = unreadableSettingsIn(engine, seal);
  const shared = { engine, seal, verified: new Map(), opened: new WeakMap() };
  const file = {
    shared,
    onError,
    aside,
    news: createNews(engine, onError),
    kept: createKept(),
    outlines: createOutlines(),
  };

  return {
    of: (workspace, scope) => storeIn(file, workspace, scope),
    async ownersOf(kind, id) {
      return (await engine.entries.namespacesOf(kind, visibleId(id))).map(placeOf);
    },
    sessions: sessionsIn(engine, seal, clock),
    news: file.news,
    clock,
    unreadable: async () => ({ setAside: await aside.count(), settings: await unreadableSettings() }),
    seal,
    limit: (name, rate) => engine.limit(name, rate),
    asOne: (run) => engine.asOne(run),
    numberFrom: (least) => engine.numberFrom(least),
    isShared: engine.isShared,
    hearOfTimelines: (hear) =>
      engine.listen((notice) => {
        if (notice.what === 'missed') hear('', '');
        if (notice.what === 'written' && notice.namespace.endsWith('/timeline'))
          hear(placeOf(notice.namespace).workspace, notice.id);
      }),
    insistOnKeeping: () => engine.insistOnKeeping(),
    close: () => engine.close(),
  };
}

interface File {
  shared: Shared;
  onError: StoresOptions['onError'];
  aside: Aside;
  news: News;
  kept: Kept;
  outlines: Outlines;
}

/**
 * Kinds that are never set aside: a missing setting would be set up again, and the invoices of a missing payment
 * attempt would be paid again.
 */
const missed: readonly string[] = ['settings', 'attempts'];

function storeIn(file: File, workspace: string, scope?: string): Store {
  const { shared, onError, aside, news, kept, outlines } = file;
  const { engine, seal } = shared;
  const ofWorkspace = memoIn(engine, workspace, kept);
  const memo: Memo = (name, read) => ofWorkspace(`${scope ?? ''} ${name}`, read);
  const opened = new Map<string, Keyv<never>>();
  function keyv<Value>(at: string, kind: string): Keyv<Value> {
    const name = namespaceOf(workspace, at, kind);
    const known =
      (opened.get(name) as Keyv<Value> | undefined) ?? // a namespace holds one kind
      openKeyv<Value>(shared, name, onError, missed.includes(kind) ? undefined : aside);
    opened.set(name, known);
    return known;
  }
  const settingsOf = (at: string) => keyv<string>(at, 'settings');
  const gone = () => outlines.kept.clear();
  const scopes = scopesIn({ engine, workspace, settingsOf, scopedKinds: scopedRecords, gone, memo });
  const here = async (): Promise<string> => scope ?? (await scopes.current());
  const records = <Value>(kind: string): Records<Value> =>
    recordsIn(async () => keyv<Value>(isOfWorkspace(kind) ? firstScope : await here(), kind));
  const place = async (): Promise<Place> => ({ workspace, scope: await here() });
  const versionOf = (name: string): Promise<string> => engine.version(name);
  const outlinesOf = <Value, Outline>(
    kind: string,
    outline: (value: Value) => Outline,
    idOf: (each: Outline) => string,
  ): Outlined<Value, Outline> => {
    const namespace = async () => namespaceOf(workspace, await here(), kind);
    return outlined(records<Value>(kind), outline, idOf, { outlines, here: namespace, version: versionOf });
  };
  const messages = outlinesOf<Message, MessageOutline>('messages', outlineOf, ({ messageId }) => messageId);
  const waitedFor = <Value>(kind: string): Followed<Value> => followed(records<Value>(kind), news, place);

  return {
    scopes,
    at: (other) => storeIn(file, workspace, other),
    settings: settingsIn(settingsOf, here, memo),
    subscriptions: waitedFor('subscriptions'),
    batches: waitedFor('batches'),
    attempts: records('attempts'),
    debtors: records('debtors'),
    creditors: records('creditors'),
    messages: { ...telling(followed(messages, news, place)), outlines: () => messages.outlines() },
    subjects: records('subjects'),
    webhooks: outlinesOf<KeptWebhook, Pick<KeptWebhook, 'id' | 'unread'>>(
      'webhooks',
      ({ id, unread }) => ({ id, unread }),
      ({ id }) => id,
    ),
    counts: records('counts'),
    accounts: records('accounts'),
    datasets: records('datasets'),
    made: records('made'),
    logins: records('logins'),
    timeline: records('timeline'),
    programs: records('programs'),
    claims: claimsIn(engine, workspace, seal),
    async memo(kinds, key, read, length = 'usual') {
      if (engine.isInTurn()) return read();
      const at = await here();
      const found = await Promise.all(kinds.map((kind) => versionOf(namespaceOf(workspace, at, kind))));
      return keptAt(kept[length], `${workspace}/${at} ${kinds.join()} ${key}`, found.join(), read);
    },
    async isElsewhere(kind, id) {
      const own = namespaceOf(workspace, await here(), kind);
      return (await engine.entries.namespacesOf(kind, visibleId(id))).some((namespace) => namespace !== own);
    },
    setAside: () => aside.of(workspace),
    inTurn: (name, run) => engine.inTurn(`${workspace} ${name}`, run),
    whileHeld: (name, run) => engine.whileHeld(`${workspace} ${name}`, run),
  };
}
