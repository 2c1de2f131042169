type Value = string | number | null;

/**
 * The sandbox's store. Statements use the SQL that SQLite and PostgreSQL share, with `?` for each value; `Row` has the
 * columns that a statement names. All functions reject with StoreFailure if the store is unavailable.
 */
export interface SandboxStore {
  /**
   * Runs a query; resolves with its rows. Within `transaction`, sees the transaction's own writes; outside, only
   * committed data.
   */
  rows: <Row>(text: string, ...values: Value[]) => Promise<Row[]>;
  /** Runs a statement that writes, within `transaction`; resolves with the rows that it returns. */
  write: <Row = unknown>(text: string, ...values: Value[]) => Promise<Row[]>;
  /**
   * Runs a function in a transaction, serialised with others of the same turn; if it rejects, its writes are rolled
   * back. A nested call joins the outer transaction. The function must not wait for anything but the store.
   */
  transaction: <T>(turn: string, run: () => Promise<T>) => Promise<T>;
  /** Runs a function after the commit of the current transaction; immediately if there is none. */
  afterCommit: (run: () => void) => void;
  /** Registers a function to call whenever another process may have changed the store. */
  onReopened(run: () => void): void;
  close(): Promise<void>;
}

/** Thrown if the store is unavailable; a write that failed with it may have been done. */
export class StoreFailure extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StoreFailure';
  }
}
