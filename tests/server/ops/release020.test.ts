import { chmodSync, copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from '#contract/json.ts';
import { systemClock as clock } from '#server/clock.ts';
import { batches, creditors } from '#server/companies/records.ts';
import { parseConfig } from '#server/config/config.ts';
import { startFailure } from '#server/ops/startFailure.ts';
import { startUp } from '#server/ops/startUp.ts';
import { checkStores } from '#server/ops/stores.ts';
import { identitiesOf } from '#server/payments/invoiceIdentity.ts';
import type { Batch } from '#server/payments/invoiceIdentity.ts';
import { comparableOwner } from '#server/payments/payer.ts';
import { paymentAttempts, undecided } from '#server/payments/records.ts';
import { createSandbox } from '#server/sandbox/createSandbox.ts';
import { copyStorage } from '#server/storage/copy.ts';
import { keyIdOf } from '#server/storage/encryption.ts';
import { keyFrom } from '#server/storage/keys.ts';
import type { Storage } from '#server/storage/open.ts';
import { tableNames } from '#server/storage/schema.ts';
import { silent } from '#tests/support/console.ts';
import { statement, temporaryDatabase } from '#tests/support/postgres.ts';
import { temporaryFolder, testKey } from '#tests/support/store.ts';

/**
 * A data folder as that release has left it: two companies that paid a batch each, the first one also a batch again and
 * one whose outcome is unknown.
 */
const stored = 'tests/fixtures/release-0.2.0';
const key = readFileSync(join(stored, 'store.key'), 'utf8').trim();
const onError = (error: unknown) => {
  throw error;
};

function folderOf020(): string {
  const folder = temporaryFolder();
  for (const name of readdirSync(stored)) {
    copyFileSync(join(stored, name), join(folder, name));
    chmodSync(join(folder, name), 0o600);
  }
  return folder;
}

type Row = Record<string, string | number | null>;
const rowsIn = (file: string, table: string): Row[] =>
  new Database(file).prepare(`select * from ${table}`).all() as Row[];

const text = (value: string | number | null | undefined) =>
  typeof value === 'number' ? String(value) : value == null ? 'null' : `'${value.replaceAll("'", "''")}'`;

/** A PostgreSQL database with the tables of that release and the rows of its file. */
async function databaseOf020(): Promise<string> {
  const url = await temporaryDatabase();
  await statement(url, readFileSync(join(stored, 'console.sql'), 'utf8'));
  for (const table of tableNames) {
    for (const row of rowsIn(join(stored, 'console.sqlite'), table))
      await statement(
        url,
        `insert into ${table} (${Object.keys(row).join()}) values (${Object.values(row).map(text).join()})`,
      );
    await statement(url, `select setval(pg_get_serial_sequence('${table}', 'position'), 10000)`);
  }
  return url;
}

const engines = [
  ['SQLite', () => Promise.resolve({ DATA_DIR: folderOf020() })],
  ['PostgreSQL', async () => ({ STORE_URL: await databaseOf020(), STORE_KEY: key, DATA_DIR: temporaryFolder() })],
] as const satisfies readonly (readonly [string, () => Promise<Record<string, string>>])[];

async function opened(environment: Record<string, string>): Promise<Storage> {
  const storage = await checkStores(parseConfig(environment), silent).open({ clock, onError });
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= storage.close());
  onTestFinished(close);
  await (
    await startUp(storage, onError)
  ).swept;
  return { ...storage, close };
}

async function refusal(environment: Record<string, string>): Promise<string | undefined> {
  const config = parseConfig(environment);
  try {
    await (await checkStores(config, silent).open({ clock, onError })).close();
  } catch (error) {
    return startFailure(error, config);
  }
  return undefined;
}

/** Runs statements on a store that is not open. */
async function run(environment: Record<string, string>, ...statements: string[]): Promise<void> {
  const { STORE_URL, DATA_DIR } = environment;
  const db = STORE_URL === undefined ? new Database(join(DATA_DIR!, 'console.sqlite')) : undefined;
  for (const each of statements) await (db ? db.exec(each) : statement(STORE_URL!, each));
  db?.close();
}

/** The batches that the sandbox has received, in order. */
const received = rowsIn(join(stored, 'sandbox.sqlite'), 'records')
  .filter(({ kind }) => kind === 'batch')
  .map(({ value }) => parse(String(value)) as { batchId: string; request: Batch });

/** Asserts that a store has all that matters of the release. */
async function expectTakenOver(storage: Storage): Promise<void> {
  const companies = await storage.settings.companies('default');
  expect(companies).toMatchObject([
    ['first', { companyName: 'Example & Co', companySigningKey: expect.any(String) as string }],
    [expect.any(String), { companyName: 'Second' }],
  ]);
  expect(await storage.settings.of('default').get('')).toMatchObject({ currentScope: companies[1]![0] });
  const [[, first]] = companies as [(typeof companies)[0]];
  const owner = comparableOwner({
    application: 'sage.sandbox.console',
    organisationId: first['organisationId']!,
    companyId: first['companyId']!,
  });
  const here = { workspace: 'default', companyKey: 'first' };
  const covering = async (batch: Batch) => {
    const identities = identitiesOf(batch, []).flatMap(({ invoices }) => invoices);
    const found = await storage.paidInvoices.covering({ ...here, owner }, identities);
    return [...new Set(found.map(({ batchId }) => batchId))];
  };
  expect(await covering(received[0]!.request)).toEqual([received[0]!.batchId, received[1]!.batchId]);
  const open = await storage.records(paymentAttempts, here).list(undecided);
  expect(open).toMatchObject([{ key: 'the-lost-key', state: 'unknown', request: { externalId: 'lost' } }]);
  expect(await covering(open[0]!.request as Batch)).toContain('');
  expect(await storage.idempotencyKeys.find(here, 'write/the-lost-key')).toEqual({
    claimedAt: expect.any(Number) as number,
  });
  expect(await storage.receivedIds.record('batch', received[0]!.batchId, 'another write')).toBe(false);
  expect(await storage.records(batches, here).count()).toBe(2);
  const [creditor] = await storage.records(creditors, here).list();
  expect(creditor).toBeDefined();
  expect(await storage.quarantine.count()).toBe(0);
}

/** The columns and indexes of a database. */
async function shapeOf({ STORE_URL, DATA_DIR }: Record<string, string>): Promise<unknown[]> {
  if (STORE_URL !== undefined)
    return statement(
      STORE_URL,
      `select table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable as text from information_schema.columns where table_schema = current_schema()
        union all select indexdef from pg_indexes where schemaname = current_schema()
        union all select tgname from pg_trigger where not tgisinternal
        union all select proname from pg_proc where pronamespace = current_schema()::regnamespace order by 1`,
    );
  const db = new Database(join(DATA_DIR!, 'console.sqlite'));
  return db
    .prepare(
      `select type, tbl_name, name, (select group_concat(name || type || "notnull") from
        (select * from pragma_table_info(sqlite_master.name) order by name)) as columns from sqlite_master order by 1, 2, 3`,
    )
    .all();
}

describe.each(engines)('A store of release 0.2.0 on %s', (_, make) => {
  it('is taken over at the start, with its paid invoices and what may be paid (threat 7.16)', async () => {
    const environment = await make();
    for (let times = 0; times < 2; times += 1) {
      const storage = await opened(environment);
      await expectTakenOver(storage);
      await storage.close();
    }
  });

  it('has the same tables, columns and indexes afterwards as a new one', async () => {
    const environment = await make();
    await (await opened(environment)).close();
    const fresh: Record<string, string> = {
      DATA_DIR: temporaryFolder(),
      ...(environment.DATA_DIR &&
        'STORE_URL' in environment && { STORE_URL: await temporaryDatabase(), STORE_KEY: key }),
    };
    await (await opened(fresh)).close();
    const text = (shape: unknown[]) =>
      shape.map((each) => JSON.stringify(each).replace(/INDEX \w+|test_\w+|sqlite_autoindex_\w+/g, '')).sort();
    expect(text(await shapeOf(environment))).toEqual(text(await shapeOf(fresh)));
  });

  it('is taken over under a new key, and refused under another one', async () => {
    const environment = await make();
    const STORE_KEY = testKey(5).export().toString('base64');
    expect(await refusal({ ...environment, STORE_KEY })).toContain(
      `give the one with the fingerprint ${keyIdOf(keyFrom(key))}`,
    );
    const storage = await opened({ ...environment, STORE_KEY, STORE_KEY_PREVIOUS: key });
    await expectTakenOver(storage);
    await storage.close();
    expect(await refusal({ ...environment, STORE_KEY })).toBeUndefined();
  });

  it('finds its records by name that release 0.1.0 had stored without, but for unreadable ones', async () => {
    const environment = await make();
    const here = { workspace: 'default', companyKey: 'first' };
    const before = await opened(await make());
    const [creditor] = await before.records(creditors, here).list();
    const name = creditors.columns!.name!(creditor!)!;
    expect(await before.records(creditors, here).count({ name })).toBe(1);
    await run(
      environment,
      `update records set name = '', alias = null where kind in ('creditors', 'paymentAttempts')`,
      `insert into records (kind, workspace, company_key, id, value, name) values ('creditors', 'default', 'first', 'x', 'x', '')`,
    );
    const found = await checkStores(parseConfig(environment), silent).open({ clock, onError: () => undefined });
    onTestFinished(() => found.close());
    await (
      await startUp(found, () => undefined)
    ).swept;
    expect(await found.records(creditors, here).count({ name })).toBe(1);
    expect(await found.quarantine.list('default')).toMatchObject([{ kind: 'creditors', id: 'x' }]);
  });

  it('is left as it was if the start fails meanwhile', async () => {
    const environment = await make();
    await run(environment, 'drop index records_unnamed');
    const before = await shapeOf(environment);
    expect(await refusal(environment).catch(String)).toContain('it cannot be used');
    expect(await shapeOf(environment)).toEqual(before);
    await run(environment, `create index records_unnamed on records (position) where name = ''`);
    await expectTakenOver(await opened(environment));
  });

  it('is refused if a release before has made it, with the release to start first', async () => {
    const environment = await make();
    await run(environment, `delete from console_migration where name >= '009'`);
    expect(await refusal(environment)).toMatch(
      /: it was made before release 0\.2\.0: start the console of release 0\.2\.0 with it once, then this one\.$/,
    );
  });
});

describe('A store of an earlier release', () => {
  it.each([
    ['console', ['entries', 'tallies', 'claims']],
    ['sandbox', ['resource', 'answer', 'sent']],
  ] as const)('is refused if 0.1.0 has made it, that of a %s', async (program, tables) => {
    const DATA_DIR = temporaryFolder();
    const file = join(DATA_DIR, `${program}.sqlite`);
    const db = new Database(file);
    for (const table of tables) db.exec(`create table ${table} (x integer)`);
    db.close();
    chmodSync(file, 0o600);
    const why = `it was made before release 0.2.0: start the ${program} of release 0.2.0 with it once, then this one`;
    if (program === 'sandbox') await expect(createSandbox({ data: DATA_DIR, secret: 's' })).rejects.toThrow(why);
    else expect(await refusal({ DATA_DIR, STORE_KEY: key })).toContain(why);
  });

  it('of 0.2.0 that was copied to PostgreSQL is refused after it was taken over (threat 7.14)', async () => {
    const environment = { DATA_DIR: folderOf020() };
    await run(
      environment,
      `create table copied_to (name text not null); insert into copied_to values ('db.example/console')`,
    );
    for (let times = 0; times < 2; times += 1)
      expect(await refusal(environment)).toContain(
        'it was copied to db.example/console, which has what was stored since',
      );
    expect(await refusal({ ...environment, ACCEPT_STORE: 'true' })).toBeUndefined();
    expect(await refusal(environment)).toBeUndefined();
  });

  it('is not copied to PostgreSQL before it is taken over, and says what to do', async () => {
    const copied = copyStorage(join(folderOf020(), 'console.sqlite'), await temporaryDatabase(), {
      ...{ keys: [keyFrom(key)], clock, onError },
    });
    await expect(copied).rejects.toThrow(
      'it was made by release 0.2.0: start the console with it once, which takes it over',
    );
  });
});

describe('The sandbox’s store of release 0.2.0', () => {
  it('is taken over, with its resources and the answers to repeated calls', async () => {
    const data = folderOf020();
    const answers = rowsIn(join(data, 'sandbox.sqlite'), 'stored_answers').length;
    const secret = readFileSync(join(data, 'sandbox.secret'), 'utf8').trim();
    for (let times = 0; times < 2; times += 1) {
      const sandbox = await createSandbox({ data, secret });
      expect(await sandbox.batches()).toMatchObject(received.map(({ batchId }) => ({ batchId })));
      await sandbox.close();
    }
    expect(rowsIn(join(data, 'sandbox.sqlite'), 'stored_answers')).toHaveLength(answers);
  });
});
