import type { Rate } from '#server/http/rate.ts';

/** A stored record. `value` is encrypted; `position` is its place in the order of insertion. */
export interface Row {
  position: number;
  key: string;
  value: string;
}

/** A record to be stored. `owner` is the tag of the entity it belongs to; records are counted by it (owners.ts). */
export interface NewRow {
  key: string;
  value: string;
  owner: string | null;
}

/** Selects the rows of one namespace with one of these owners; if `owners` is null, the rows without an owner. */
export interface Whose {
  namespace: string;
  owners: readonly string[] | null;
}

/** A page of rows: the order, the position after which it starts, and the maximum number of rows (`most`). */
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
  /** Whether another live server holds the claim. */
  isHeld: boolean;
}

/** A session as it is stored: `value` is encrypted; times are steady (Clock), in ms. */
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
  /** Writes a row unless the namespace has one with this key. Returns whether it was written. */
  insert(namespace: string, row: NewRow): Promise<boolean>;
  /** Like a durable `write`, of rows in several namespaces: writes all of them or none. */
  writeParts(parts: readonly { namespace: string; rows: readonly NewRow[] }[]): Promise<void>;
  /** Replaces the value of a row if it is still `before`. Returns whether it was. */
  replace(namespace: string, before: Pick<Row, 'key' | 'value'>, row: NewRow): Promise<boolean>;
  /** Returns whether the row existed. `isDurable` as in `write`. */
  remove(namespace: string, key: string, isDurable: boolean): Promise<boolean>;
  /**
   * Removes the rows of all these namespaces in one transaction; if a part has `keys`, only the rows with these keys.
   */
  clear(parts: readonly { namespace: string; keys?: readonly string[] }[]): Promise<void>;
  /** Returns all rows of a namespace in order of insertion, from one consistent read. */
  all(namespace: string): Promise<Row[]>;
  page(whose: Whose, reading: Reading): Promise<Row[]>;
  count(whose: Whose): Promise<number>;
  /** The number of rows of each owner in a namespace; '' stands for no owner. */
  tallies(namespace: string): Promise<{ owner: string; count: number }[]>;
  /** The namespaces that end with `/{kind}` and hold this key. */
  namespacesOf(kind: string, key: string): Promise<string[]>;
  /** The namespaces `{workspace}/{scope}/settings` that hold rows, ordered by their first row. */
  settingsOf(workspace: string): Promise<string[]>;
  /** Moves a row, unchanged, to the set-aside table, unless its value has changed meanwhile. `at` in ms. */
  setAside(namespace: string, row: Row, at: number): Promise<void>;
  /** The set-aside records of one workspace, oldest first. */
  aside(workspace: string): Promise<AsideRow[]>;
  asideCount(): Promise<number>;
  /** All settings of all workspaces, with their places: {namespace}/{key}. */
  settings(): Promise<{ place: string; value: string }[]>;
}

/** Claims by key. */
interface ClaimRows {
  /** Adds a claim held by this server. Returns undefined on success, or the existing claim. */
  claim(key: string, fingerprint: string): Promise<ClaimRow | undefined>;
  exists(key: string): Promise<boolean>;
  /** Takes over a claim unless another live server holds it. Returns whether this server now holds it. */
  takeOver(key: string): Promise<boolean>;
  finish(key: string, answer: string): Promise<void>;
  /** Lets other servers take over an open claim of this server. If the store fails, tries again later. */
  leave(key: string): Promise<void>;
  release(key: string): Promise<void>;
  /** Deletes webhook claims older than this (ms). */
  forgetWebhooks(age: number): Promise<void>;
}

/** Sessions by the hash of their id. */
interface SessionRows {
  begin(row: SessionRow): Promise<void>;
  /** Returns the session, or undefined if it was last used or was started at or before these times. */
  find(key: string, since: { usedAt: number; startedAt: number }): Promise<SessionRow | undefined>;
  use(key: string, usedAt: number): Promise<void>;
  /** Replaces the value of a session if it is still `before`. Returns whether it was. */
  replace(key: string, before: string, value: string): Promise<boolean>;
  end(key: string): Promise<void>;
  /** Deletes the sessions that were last used or were started at or before these times, or after `latest`. */
  forget(since: { usedAt: number; startedAt: number }, latest: number): Promise<void>;
}

/**
 * A database with the console's tables: the operations that Keyv lacks, and those that Keyv's adapter uses. Callers
 * encrypt what they store under a key. Operations reject if the database fails; they never return an empty result
 * instead.
 */
export interface Engine {
  /** Whether several servers use the store. If so, a cached read is valid only for its version. */
  readonly isShared: boolean;
  entries: Entries;
  claims: ClaimRows;
  sessions: SessionRows;
  /**
   * Returns the version of a namespace or workspace. It changes with every write, by any server; writes to the timeline
   * do not change the workspace's version.
   */
  version(name: string): Promise<string>;
  /**
   * Runs one request. Within it, reads may miss other servers' writes of the last 100 ms, but see everything written
   * before the request began, and everything that this server wrote.
   */
  asOne<T>(run: () => Promise<T>): Promise<T>;
  /** Returns a version of a namespace that changes with every write by another server; own writes may change it too. */
  versionOf(namespace: string): Promise<string>;
  /** Returns a version that changes when a foreign program writes to the store, where the engine can detect that. */
  foreign(): Promise<string>;
  /**
   * Runs a function that reads and then writes, serialised with all others of this name on all servers. It must be
   * short and make no requests. If it rejects, its writes may be rolled back.
   */
  inTurn<T>(name: string, run: () => Promise<T>): Promise<T>;
  /** Runs a function under the lock of this name, which all servers share; it may make requests. */
  whileHeld<T>(name: string, run: () => Promise<T>): Promise<T>;
  /** Whether the caller runs within `inTurn`; nobody else sees its writes yet. */
  isInTurn(): boolean;
  /** Runs a function now or, within `inTurn`, after the commit. */
  afterwards(run: () => void): void;
  /** Returns the least number, starting at `least`, that no other live server uses. */
  numberFrom(least: number): number;
  /**
   * Creates a rate limit shared by all servers. The returned function counts one call of a caller; it resolves with 0
   * if the call is allowed, otherwise with the seconds to wait. It never rejects.
   */
  limit(name: string, rate: Rate): (caller: string) => Promise<number>;
  /** Sends a notice to the other servers that listen now; it is not queued. */
  announce(notice: Notice): Promise<void>;
  /** Calls `hear` with the notices and writes of other servers. */
  listen(hear: (notice: Notice) => void): void;
  /** Rejects if a write would fail or be lost now. */
  insistOnKeeping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A notice from another server: something about an id has changed (`tell`), a record was written (`written`), or
 * notices may have been lost (`missed`).
 */
export type Notice = { what: 'tell' | 'written'; namespace: string; id: string } | { what: 'missed' };
