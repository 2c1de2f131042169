import Database from 'libsql';
import type { Owner, Scheduler } from './scheduler.ts';

/** Where it happens: at a statement that changes something, at another one, or at a commit. */
export type DiskPoint = 'write' | 'read' | 'commit';
/** What happens to a statement or a commit. */
export const diskAccidents = ['dies-before', 'dies-after', 'full', 'pauses'] as const;
export type DiskAccident = (typeof diskAccidents)[number];

/** Thrown to whatever a dead process still does. */
export class DeadError extends Error {
  readonly code = 'SQLITE_MISUSE';
}

const changes = /^\s*(?:insert|update|delete|replace|with)\b/i;

/** The content of a database: its statements, tables before triggers, and its rows by table. */
export interface Content {
  schema: readonly { type: string; sql: string }[];
  rows: ReadonlyMap<string, readonly Record<string, unknown>[]>;
}

/**
 * Notes each change of a write's row beside the database, in its transaction: what is rolled back is not noted. A claim that
 * another takes over raises the row's turn.
 */
const watchWrites = `
  create temp table changes (call text, what text);
  create temp trigger changed after update on main.writes when old.state <> new.state or old.turn <> new.turn begin
    insert into changes values (new.call, case when old.turn <> new.turn then old.state || ', taken over'
      else old.state || ' to ' || new.state || coalesce(' by a ' || new.settled_by, '') end);
  end;
  create temp trigger removed after delete on main.writes begin
    insert into changes values (old.call, old.state || ' to free');
  end;`;

/** Tables whose rows no later step needs. */
const passedOver = /^(sqlite_|timeline)/;

/**
 * A disk with one SQLite database, which outlives the processes that use it. Each process has a handle: what it had not
 * committed when it dies is gone.
 */
export class Disk {
  readonly database = new Database(':memory:');
  readonly #scheduler: Scheduler;
  /** Whose transaction is the latest. */
  #writer: Owner | undefined;
  /** Says whether an accident happens at this point, for a process that is alive. */
  strike: (owner: Owner, point: DiskPoint) => DiskAccident | undefined = () => undefined;
  /** Ends a process. */
  kill: (owner: Owner) => void = () => undefined;
  /** Suspends a process. */
  pause: (owner: Owner) => void = () => undefined;

  constructor(scheduler: Scheduler, content?: Content) {
    this.#scheduler = scheduler;
    if (content) this.#write(content);
  }

  /** Everything on the disk. */
  content(): Content {
    const all = (text: string) => this.database.prepare(text).all([]) as Record<string, unknown>[]; // rows of SQLite
    const schema = all(
      'select type, name, sql from sqlite_master where sql is not null',
    ) as (Content['schema'][number] & {
      name: string;
    })[];
    const tables = schema.filter(({ type, name }) => type === 'table' && !passedOver.test(name));
    return {
      schema: schema.filter(({ name }) => !name.startsWith('sqlite_')),
      rows: new Map(tables.map(({ name }) => [name, all(`select rowid, * from "${name}" order by rowid`)])),
    };
  }

  /** Begins to note how the states of writes change. */
  watchWrites(): void {
    this.database.exec(watchWrites);
  }

  /** The changes of writes that were committed, each once, as `call: claimed to done`. */
  changes(): string[] {
    const rows = this.database.prepare('select distinct call, what from temp.changes').all([]) as Record<
      string,
      string
    >[];
    return rows.map(({ call, what }) => `${call}: ${what}`);
  }

  #write({ schema, rows }: Content): void {
    const made = (isTable: boolean) =>
      schema.filter(({ type }) => (type === 'table') === isTable).forEach(({ sql }) => this.database.exec(sql));
    this.database.exec('begin');
    made(true);
    for (const [table, those] of rows)
      for (const row of those) {
        const names = Object.keys(row);
        this.database
          .prepare(
            `insert into "${table}" (${names.map((name) => `"${name}"`).join(', ')}) values (${names.map(() => '?').join(', ')})`,
          )
          .run(Object.values(row));
      }
    made(false);
    this.database.exec('commit');
  }

  /** Drops what a process that has died had not committed. */
  drop(owner: Owner): void {
    if (this.#writer === owner) this.#rollBack();
  }
  #rollBack(): void {
    if (this.database.inTransaction) this.database.exec('rollback');
  }

  #point<T>(owner: Owner, point: DiskPoint, run: () => T): T {
    const accident = this.strike(owner, point);
    if (accident === undefined) return run();
    this.#scheduler.note(`* disk of ${owner.name}: ${accident} at a ${point}`);
    if (accident === 'full') {
      this.#rollBack();
      throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    }
    if (accident === 'pauses') {
      const done = run();
      this.pause(owner);
      return done;
    }
    if (accident === 'dies-after') run();
    this.kill(owner);
    throw new DeadError('the process is dead');
  }

  /** Returns the connection of a process. */
  handle(owner: Owner): Database.Database {
    const { database } = this;
    const alive = () => {
      if (owner.isDead) throw new DeadError('the process is dead');
    };
    const writes = () => (this.#writer = owner);
    const point = <T>(kind: DiskPoint, run: () => T): T => this.#point(owner, kind, run);
    const handle = {
      get inTransaction() {
        return !owner.isDead && database.inTransaction;
      },
      exec(text: string) {
        alive();
        if (text.startsWith('begin')) writes();
        if (text === 'commit') point('commit', () => database.exec(text));
        else database.exec(text);
        return handle;
      },
      prepare(text: string) {
        alive();
        const statement = database.prepare(text);
        const guarded = <T>(run: () => T): T => {
          alive();
          return point(changes.test(text) ? 'write' : 'read', run);
        };
        return {
          reader: statement.reader,
          all: (values: unknown[]) => guarded(() => statement.all(values)),
          run: (values: unknown[]) => guarded(() => statement.run(values)),
          iterate: (values: unknown[]) => guarded(() => statement.iterate(values)),
        };
      },
      close: () => undefined,
    };
    return handle as unknown as Database.Database; // the part of it that storage uses
  }
}
