import { chmodSync, copyFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from '#contract/json.ts';
import type { Payment } from '#contract/payment.ts';
import { systemClock as clock } from '#server/clock.ts';
import { batches, creditors } from '#server/companies/records.ts';
import { parseConfig } from '#server/config/config.ts';
import { startFailure } from '#server/ops/startFailure.ts';
import { startUp } from '#server/ops/startUp.ts';
import { checkStores } from '#server/ops/stores.ts';
import { shownSigningKeys } from '#server/companies/signingKey.ts';
import { fingerprintOf } from '#server/calls/fingerprint.ts';
import { createSandbox } from '#server/sandbox/createSandbox.ts';
import { copyStorage } from '#server/storage/copy.ts';
import { createEncryption, keyIdOf, locationKey } from '#server/storage/encryption.ts';
import { keyFrom } from '#server/storage/keys.ts';
import type { Storage } from '#server/storage/open.ts';
import type { Write } from '#server/storage/writes.ts';
import type { Store as CompanyStore } from '#server/companies/companyStore.ts';
import { receivedWebhooks } from '#server/webhooks/receive.ts';
import { coveredBy, factsOf, factsOfBatch, payerOf } from '#server/writes/invoices.ts';
import type { Batch } from '#server/writes/invoices.ts';
import { lineOf } from '#server/writes/sameInvoice.ts';
import { serviceKey } from '#server/writes/serviceKey.ts';
import { silent } from '#tests/support/console.ts';
import { statement, temporaryDatabase } from '#tests/support/postgres.ts';
import { currentStore, temporaryFolder, testKey } from '#tests/support/store.ts';

/**
 * A data folder as that release has left it: two companies that paid a batch each, the first one also a batch again and
 * one whose outcome is unknown.
 */
const fixture = 'tests/fixtures/release-0.2.0';
/** A copy of it, because the driver leaves files beside what it reads. */
const stored = mkdtempSync(join(tmpdir(), 'release-0.2.0-'));
cpSync(fixture, stored, { recursive: true });
afterAll(() => rmSync(stored, { recursive: true }));
const key = readFileSync(join(stored, 'store.key'), 'utf8').trim();
const onError = (error: unknown) => {
  throw error;
};
const applicationOf = () => 'sage.sandbox.console';

function folderOf020(): string {
  const folder = temporaryFolder();
  for (const name of readdirSync(fixture)) {
    copyFileSync(join(fixture, name), join(folder, name));
    chmodSync(join(folder, name), 0o600);
  }
  return folder;
}

type Row = Record<string, string | number | null>;
function rowsIn(file: string, table: string): Row[] {
  const db = new Database(file);
  const rows = db.prepare(`select * from ${table}`).all() as Row[];
  db.close();
  return rows;
}

const text = (value: string | number | null | undefined) =>
  typeof value === 'number' ? String(value) : value == null ? 'null' : `'${value.replaceAll("'", "''")}'`;

/** The tables of that release, but for what counts its records and migrations. */
const tables = [
  'index_key',
  'records',
  'idempotency_keys',
  'invoice_payments',
  'undecided_sums',
  'earlier_companies',
  'received_ids',
  'timeline',
  'sessions',
  'settings',
  'quarantine',
];

/** A PostgreSQL database with the tables of that release and the rows of its file. */
async function databaseOf020(): Promise<string> {
  const url = await temporaryDatabase();
  await statement(url, readFileSync(join(stored, 'console.sql'), 'utf8'));
  for (const table of tables) {
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
  const storage = await checkStores(parseConfig(environment), silent).open({ clock, onError, applicationOf });
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
    await (await checkStores(config, silent).open({ clock, onError, applicationOf })).close();
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

const inFile = (table: string) => rowsIn(join(stored, 'console.sqlite'), table);
/** The ids that the console has received: kind, id, and the key at the service of the write that has received it. */
const receivedIds = inFile('received_ids').map(({ kind, id, idempotency_key: key }) => [kind, id, key].map(String)) as [
  string,
  string,
  string,
][];
/** The idempotency keys under which batches were paid, with these, in order. */
const reservedKeys = [
  ...new Map(
    inFile('invoice_payments').flatMap(({ idempotency_key: each, batch_id: batchId }): [string, string][] =>
      batchId === '' ? [] : [[String(each), String(batchId)]],
    ),
  ),
];
const storedKeys = inFile('idempotency_keys').map(({ key }) => String(key));

/** The payments of a batch, written in other ways. */
const variantsOf = ({ payments }: Batch): Payment[][] => [
  payments.map((each) => ({ ...each, creditor: { ...each.creditor, creditorId: '' } })),
  payments.map(({ remittanceInformation, ...each }) => ({
    ...each,
    remittanceInformation: { unstructured: remittanceInformation!.reference! }, // it has one
  })),
  payments.map((each) => ({ ...each, instructedAmount: { ...each.instructedAmount, amount: '1.23' } })),
];

/** Asserts that a store has all that matters of the release. */
async function expectTakenOver(storage: Storage): Promise<void> {
  const companies = await storage.settings.companies('default');
  expect(companies).toMatchObject([
    ['first', { companyName: 'Example & Co' }],
    [expect.any(String), { companyName: 'Second' }],
  ]);
  const listed = currentStore(storage).companies;
  const named = (await listed.list()).map(({ companyName }) => companyName);
  expect(named).toEqual(['Example & Co', 'Second']);
  for (const [companyKey, own] of companies) {
    expect(own).not.toHaveProperty('companySigningKey');
    expect(await listed.read(companyKey)).toMatchObject({ companySigningKey: expect.stringMatching(/./) as string });
  }
  expect(await storage.settings.of('default').get('')).toMatchObject({ currentCompany: companies[1]![0] });
  const [[, first]] = companies as [(typeof companies)[0]];
  const payer = payerOf(storage.tag, applicationOf(), first['organisationId']!, first['companyId']!);
  const here = { workspace: 'default', companyKey: 'first' };
  const store = {
    ...storage,
    ...here,
    records: (kind: never) => storage.records(kind, here),
  } as unknown as CompanyStore; // as far as it is used
  const covering = async (batch: Batch) => {
    const found = await coveredBy(store, await factsOfBatch(store, payer, batch));
    expect(found).toHaveLength(batch.payments.length);
    return [...new Set(found.flatMap(({ by }) => by.map(({ batchId }) => batchId)))];
  };
  const [paid, again] = received as [(typeof received)[0], (typeof received)[0]];
  expect(await covering(paid.request)).toEqual([paid.batchId, again.batchId]);
  // Whoever names the payee without its id, or says in words what the reference was, pays the same invoice.
  for (const payments of variantsOf(paid.request))
    expect(await covering({ ...paid.request, payments })).toEqual(
      expect.arrayContaining([paid.batchId, again.batchId]),
    );

  const { writes } = storage;
  const undecided = await writes.list(here, { call: 'createBatch', states: ['claimed', 'unknown'] });
  const [lost] = undecided as [Write];
  expect(undecided).toMatchObject([
    { key: 'the-lost-key', state: 'unknown', serviceTime: expect.any(Number) as number },
  ]);
  expect(lost.serviceKey).toBe(serviceKey(here, 'the-lost-key'));
  const sent = (await writes.bodyOf(lost)) as Batch; // as it was sent
  expect(sent).toMatchObject({ externalId: 'lost', requestedExecutionDateTime: '2026-11-28T00:00:00Z' });
  expect(sent.payments.map((each) => each.remittanceInformation?.reference)).toEqual(['LOST-0', 'LOST-1']);
  expect(lost.fingerprint).toBe(storage.tag('fingerprint', fingerprintOf('createBatch', sent)));
  expect(await writes.wordsOf(lost)).not.toBe('');
  expect(await covering(sent)).toContain('');

  for (const [kind, id, key] of receivedIds) {
    const creator = await writes.creatorOf(kind as 'batch', id.toUpperCase());
    expect(creator).toMatchObject({ state: 'done', createdId: id, serviceKey: key, workspace: 'default' });
    expect(creator!.serviceKey).toBe(serviceKey(creator!, creator!.key));
    const done = await writes.doneOf(creator!);
    expect(JSON.stringify(done!.answer)).toContain(id);
    expect(done!.exchange).toMatchObject({ interactionId: key, method: 'POST' });
  }
  const made = await writes.creatorOf('batch', paid.batchId);
  expect(await writes.bodyOf(made!)).toMatchObject({
    payments: paid.request.payments.map(({ remittanceInformation }) => ({ remittanceInformation })),
  });
  const keys = await storage.workspaces.count('default');
  expect(keys.writes).toBe(storedKeys.filter((each) => each.startsWith('write/')).length);
  const webhooks = storedKeys.filter((each) => each.startsWith('webhook/'));
  const records = storage.records(receivedWebhooks, here);
  expect(await records.count()).toBe(webhooks.length);
  for (const each of webhooks)
    expect(await records.get(each.slice('webhook/'.length))).toMatchObject({
      fingerprint: expect.stringMatching(/^\S+$/) as string,
    });
  expect(await storage.records(shownSigningKeys, here).count()).toBe(
    storedKeys.filter((each) => each.startsWith('signing-key/')).length,
  );
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

  it('keeps what is paid of a write whose answer, call or key it lacks', async () => {
    const environment = await make();
    const encryption = createEncryption([keyFrom(key)]);
    const [[paidKey], [secondKey]] = reservedKeys as [[string, string], [string, string]];
    const place = ['default', 'first', `write/${paidKey}`] as const;
    const bare = inFile('idempotency_keys')
      .filter((row) => row['key'] === `write/${paidKey}`)
      .map(
        (row) => encryption.decrypt(String(row['fingerprint']), locationKey('fingerprint', ...place)).split(' ')[0]!,
      );
    await run(
      environment,
      // Its user was removed, and release 0.1.0 had stored no call with a fingerprint.
      `update idempotency_keys set response = null, fingerprint = ${text(
        encryption.encrypt(bare[0]!, locationKey('fingerprint', ...place)),
      )} where key = 'write/${paidKey}'`,
      // They came with the file of a situation.
      `delete from idempotency_keys where key in ('write/${secondKey}', 'write/the-lost-key')`,
    );
    const { writes, settings, invoiceLines, ...storage } = await opened(environment);
    const here = { workspace: 'default', companyKey: 'first' };
    const [paid, second, lost] = await Promise.all(
      [paidKey, secondKey, 'the-lost-key'].map((each) => writes.find(here, each)),
    );
    expect([paid, second, lost]).toMatchObject([
      { call: 'createBatch', state: 'done', createdId: received[0]!.batchId },
      { call: 'createBatch', state: 'done', createdId: received[1]!.batchId },
      { call: 'createBatch', state: 'unknown', createdId: '' },
    ]);
    const request = (await writes.bodyOf(lost!)) as Batch; // as it was sent
    expect(lost!.fingerprint).toBe(storage.tag('fingerprint', fingerprintOf('createBatch', request)));
    const first = (await settings.companies('default')).find(([each]) => each === 'first')![1];
    const payer = payerOf(storage.tag, applicationOf(), first['organisationId']!, first['companyId']!);
    const lines = (payment: Payment) => invoiceLines.like([factsOf(storage.tag, payer, lineOf(payment))]);
    expect(await lines(received[0]!.request.payments[0]!)).toMatchObject([{ key: secondKey }, { key: paidKey }]);
    expect((await lines(request.payments[0]!)).map((each) => each.key)).toContain('the-lost-key');
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
      `update records set name = '', alias = null where kind = 'creditors'`,
      `insert into records (kind, workspace, company_key, id, value, name) values ('creditors', 'default', 'first', 'x', 'x', '')`,
    );
    const found = await checkStores(parseConfig(environment), silent).open({
      clock,
      onError: () => undefined,
      applicationOf,
    });
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
      keys: [keyFrom(key)],
      clock,
      onError,
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
