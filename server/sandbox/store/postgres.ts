import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { serialByName } from '#server/serially.ts';
import { createConnections, PostgresError } from '#server/store/postgres/connections.ts';
import { migrate, PostgresStoreError, refusal } from '#server/store/postgres/migrate.ts';
import { holdDatabase } from './postgresHold.ts';
import { migrations } from './postgresSchema.ts';
import { StoreFailure, type SandboxStore } from './store.ts';

/** Thrown if the sandbox's database cannot be used. */
export class SandboxStoreError extends PostgresStoreError {}

/** Converts the database's errors to failures of the store. */
const failing = <T>(result: Promise<T>): Promise<T> =>
  result.catch((error: unknown) => {
    throw error instanceof PostgresError ? new StoreFailure(error.message, error) : error;
  });

const escapes: Readonly<Record<string, string>> = { '\0': '\u{1}0', '\u{1}': '\u{1}1' };
/**
 * Escapes U+0000, which PostgreSQL's texts cannot hold. Only look-up keys can contain one, and these are not read back;
 * JSON escapes it anyway.
 */
const kept = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/[\0\u0001]/g, (one) => escapes[one] ?? one) : value;

/** Converts placeholders from `?` to PostgreSQL's numbered ones. */
function numbering(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    let number = 0;
    const numbered = known.get(text) ?? text.replaceAll('?', () => `$${(number += 1)}`);
    known.set(text, numbered);
    return numbered;
  };
}

/**
 * Opens a PostgreSQL database as the sandbox's store. Only one process may work on it at a time: the one in the table
 * `worker`, which each transaction checks. Rejects with SandboxStoreError if the database cannot be used, or another
 * process works on it.
 */
export async function openPostgresStore(url: string, log: Pick<Logger, 'warn'>): Promise<SandboxStore> {
  const id = randomUUID();
  const noteError = (error: unknown) => log.warn({ err: error }, 'a connection to the sandbox’s database failed');
  const connections = createConnections(url, id, noteError);
  const { isInTransaction, afterwards } = connections;
  const numbered = numbering();
  const inTurn = serialByName();
  const reopened: (() => void)[] = [];

  /** Makes this process the worker; waits for transactions of the previous one, and prevents new ones. */
  async function takeOver(): Promise<void> {
    const others = await connections.write('update worker set id = $1 where id <> $1 returning id', id);
    if (others.length > 0) for (const each of reopened) each();
  }

  async function insistOnWorking(): Promise<void> {
    const found = await connections.rows('select id from worker where id = $1 for share', id);
    if (found.length === 0) throw new StoreFailure('another sandbox works on the database');
  }

  async function begin() {
    await connections.transaction(() => migrate(url, 'sandbox', migrations, connections));
    await takeOver();
  }

  const onWait = () => log.warn('another sandbox works on the database: waiting a few seconds for it to end');

  async function hold() {
    let isMade = false;
    const taken = async () => {
      await (isMade ? takeOver() : begin());
      isMade = true;
    };
    const held = await holdDatabase(url, taken, { onError: noteError, onWait });
    if (held) return held;
    throw new PostgresStoreError(url, 'another sandbox works on it, stop that one or give another database');
  }

  const held = await hold().catch(async (error: unknown) => {
    await connections.close();
    const refused = refusal(url, error);
    throw refused instanceof PostgresStoreError ? new SandboxStoreError(url, refused.why, error) : refused;
  });

  return {
    rows: <Row>(text: string, ...values: unknown[]) =>
      failing(connections.rows(numbered(text), ...values.map(kept))) as Promise<Row[]>, // the statement's columns
    write: <Row>(text: string, ...values: unknown[]) =>
      failing(connections.write(numbered(text), ...values.map(kept))) as Promise<Row[]>, // the statement's columns
    transaction<T>(turn: string, run: () => Promise<T>): Promise<T> {
      if (isInTransaction()) return run();
      const alone = () =>
        connections.transaction(async () => {
          await insistOnWorking();
          return run();
        });
      return failing(inTurn(turn, alone));
    },
    afterCommit: afterwards,
    onReopened: (run) => void reopened.push(run),
    async close() {
      await held.close();
      await connections.close();
    },
  };
}
