import type { Rate } from '#server/http/rate.ts';

/** A stored record. `value` is encrypted; `position` is its place in the order of insertion. */
export interface Row {
  position: number;
  key: string;
  value: string;
}

/** A record to be stored. `owner` is the tag of what it belongs to, by which records are counted (owners.ts). */
export interface NewRow {
  key: string;
  value: string;
  owner: string | null;
}

/** Rows of one namespace and of one of these owners; those without an owner if it is null. */
export interface Whose {
  namespace: string;
  owners: readonly string[] | null;
}

/** How rows are read: the latest or the earliest first, those beyond the position `after`, at most `most`. */
export interface Reading {
  isLatestFirst: boolean;
  after?: number;
  most: number;
}

/** A claim as it is stored; both texts are encrypted. `claimedAt` in ms. */
export interface ClaimRow {
  fingerprint: string;
  answer: string | null;
  claimedAt: number;
  /** Whether another server that is alive holds it. */
  isHeld: boolean;
}

/** A session as it is stored: `value` is encrypted; times in ms, steady. */
export interface SessionRow {
  key: string;
  value: string;
  startedAt: number;
  usedAt: number;
}

/** A record that was set aside: its namespace and key, and when (ms). */
export interface AsideRow {
  namespace: string;
  key: string;
  at: number;
}

/** Records by namespace and key. */
interface Entries {
  find(namespace: string, key: string): Promise<Row | undefined>;
  /**
   * Writes all rows or, if the store fails or the process ends, none. Keeps the position of an existing key. Rows that
   * are not `isDurable` may be lost if the machine fails.
   */
  write(namespace: string, rows: readonly NewRow[], isDurable: boolean): Promise<void>;
  /** Replaces the value of a row if it is still `before`. Returns whether it was. */
  replace(namespace: string, before: Pick<Row, 'key' | 'value'>, row: NewRow): Promise<boolean>;
  /** Returns whether there was such a row. `isDurable` as in `write`. */
  remove(namespace: string, key: string, isDurable: boolean): Promise<boolean>;
  /** Removes the rows of all these namespaces, of each only those with one of `keys` if they are given, or none. */
  clear(parts: readonly { namespace: string; keys?: readonly string[] }[]): Promise<void>;
  /** All rows of a namespace in order of insertion, at one moment. */
  all(namespace: string): Promise<Row[]>;
  page(whose: Whose, reading: Reading): Promise<Row[]>;
  count(whose: Whose): Promise<number>;
  /** The number of rows of each owner of a namespace; '' stands for none. */
  tallies(namespace: string): Promise<{ owner: string; count: number }[]>;
  /** The namespaces that end with `/{kind}` and hold this key. */
  namespacesOf(kind: string, key: string): Promise<string[]>;
  /** The namespaces `{workspace}/{scope}/settings` that hold rows, in the order of their first ones. */
  settingsOf(workspace: string): Promise<string[]>;
  /** Moves a row, unchanged, to those set aside, unless it has another value by now. */
  setAside(namespace: string, row: Row, at: number): Promise<void>;
  /** Those set aside of one workspace, oldest first. */
  aside(workspace: string): Promise<AsideRow[]>;
  asideCount(): Promise<number>;
  /** All settings of all workspaces, with their places: {namespace}/{key}. */
  settings(): Promise<{ place: string; value: string }[]>;
}

/** Claims by key. */
interface ClaimRows {
  /** Adds a claim held by this server. Returns undefined if it was added, otherwise the one that is there. */
  claim(key: string, fingerprint: string): Promise<ClaimRow | undefined>;
  /** Makes a claim this server's, unless another one that is alive holds it. Returns whether this server holds it. */
  takeOver(key: string): Promise<boolean>;
  finish(key: string, answer: string): Promise<void>;
  /** Lets others take over an open claim of this server; done later if the store fails. */
  leave(key: string): Promise<void>;
  release(key: string): Promise<void>;
  /** Deletes the claims of webhooks that are older than this (ms). */
  forgetWebhooks(age: number): Promise<void>;
}

/** Sessions by the hash of their id. */
interface SessionRows {
  begin(row: SessionRow): Promise<void>;
  /** The session, unless it was used or started at or before these times. */
  find(key: string, since: { usedAt: number; startedAt: number }): Promise<SessionRow | undefined>;
  use(key: string, usedAt: number): Promise<void>;
  /** Replaces the value of a session if it is still `before`. Returns whether it was. */
  replace(key: string, before: string, value: string): Promise<boolean>;
  end(key: string): Promise<void>;
  /** Deletes the sessions that were used or started at or before these times, or later than `latest`. */
  forget(since: { usedAt: number; startedAt: number }, latest: number): Promise<void>;
}

/**
 * A database with the console's tables: what Keyv cannot do, and what Keyv's adapter stands on. Everything that it keeps
 * under a key is encrypted above it. Its functions reject if the database fails; they never return an empty result
 * instead.
 */
export interface Engine {
  /** Whether other servers work on the same store: then nothing read of it is true for longer than its version. */
  readonly isShared: boolean;
  entries: Entries;
  claims: ClaimRows;
  sessions: SessionRows;
  /**
   * Another one as soon as anything is written, by any server, to the records of a namespace, or of a workspace, where the
   * timeline does not count.
   */
  version(name: string): Promise<string>;
  /**
   * Runs one request. Within it, what others write may be seen up to 100 ms late, but nothing late that was written before
   * the request began, or by this server.
   */
  asOne<T>(run: () => Promise<T>): Promise<T>;
  /** Another one as soon as another server writes to a namespace; own writes may change it as well. */
  versionOf(namespace: string): Promise<string>;
  /** Another one as soon as anything but the console has written to the store, if that can be told. */
  foreign(): Promise<string>;
  /**
   * Runs a function that reads and then writes, after all others of the same name on all servers. It must be short and
   * make no requests. If it rejects, nothing that it has written may be kept.
   */
  inTurn<T>(name: string, run: () => Promise<T>): Promise<T>;
  /** Runs a function after all others of the same name on all servers; it may make requests. */
  whileHeld<T>(name: string, run: () => Promise<T>): Promise<T>;
  /** Whether this is called by a function that `inTurn` runs, whose writes nobody else sees yet. */
  isInTurn(): boolean;
  /** Runs a function now or, within `inTurn`, once its writes are kept. */
  afterwards(run: () => void): void;
  /** The least number from `least` on that no other server uses that is alive. */
  numberFrom(least: number): number;
  /**
   * Makes a limit for callers, common to all servers. Its function counts one call of a caller, and resolves with 0 if it
   * is allowed, otherwise with the seconds to wait. It does not reject.
   */
  limit(name: string, rate: Rate): (caller: string) => Promise<number>;
  /** Tells the other servers something; they hear it if they listen at that moment. */
  announce(notice: Notice): Promise<void>;
  /** Calls `hear` with what other servers announce or write. */
  listen(hear: (notice: Notice) => void): void;
  /** Rejects if a write would fail or be lost now. */
  insistOnKeeping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * What another server tells: that there is news of an id (`tell`), that it has written a record (`written`), or that some
 * of this was missed.
 */
export type Notice = { what: 'tell' | 'written'; namespace: string; id: string } | { what: 'missed' };
