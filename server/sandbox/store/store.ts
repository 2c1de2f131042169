type Value = string | number | null;

/**
 * What the sandbox is kept in. Statements are in the SQL that SQLite and PostgreSQL share, with `?` for each value; `Row`
 * has the columns that a statement names. All functions reject with StoreFailure if the store cannot be used at present.
 */
export interface SandboxStore {
  /** The rows of a query. Within `transaction` they show what was written before, elsewhere only what is committed. */
  rows: <Row>(text: string, ...values: Value[]) => Promise<Row[]>;
  /** Runs a statement that writes, within `transaction`; resolves with the rows that it returns. */
  write: <Row = unknown>(text: string, ...values: Value[]) => Promise<Row[]>;
  /**
   * Runs a function alone: no other one of this turn runs meanwhile. What it writes is one transaction; if it rejects,
   * nothing is kept. Within another transaction it is a part of that one. It must not wait for anything but the store.
   */
  transaction: <T>(turn: string, run: () => Promise<T>) => Promise<T>;
  /** Runs a function once the current transaction is committed; at once outside of one. */
  afterwards: (run: () => void) => void;
  /** Calls a function whenever the store may have been changed by another process. */
  onReopened(run: () => void): void;
  close(): Promise<void>;
}

/** The store cannot be used at present; what was to be written may be kept or not. */
export class StoreFailure extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StoreFailure';
  }
}
