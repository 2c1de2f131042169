import { chmodSync, copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from '#contract/json.ts';
import { systemClock as clock } from '#server/clock.ts';
import { creditors } from '#server/companies/records.ts';
import { parseConfig } from '#server/config/config.ts';
import { messages, webhooks } from '#server/messages/records.ts';
import { startFailure } from '#server/ops/startFailure.ts';
import { startUp } from '#server/ops/startUp.ts';
import { checkStores } from '#server/ops/stores.ts';
import { identitiesOf, sumsBy } from '#server/payments/invoiceIdentity.ts';
import type { Batch } from '#server/payments/invoiceIdentity.ts';
import { comparableOwner } from '#server/payments/payer.ts';
import { paymentAttempts, undecided } from '#server/payments/records.ts';
import { createSandbox } from '#server/sandbox/createSandbox.ts';
import { copyStorage } from '#server/storage/copy.ts';
import { createEncryption, keyIdOf } from '#server/storage/encryption.ts';
import { keyFrom } from '#server/storage/keys.ts';
import type { Storage } from '#server/storage/open.ts';
import { silent } from '#tests/support/console.ts';
import { statement, temporaryDatabase } from '#tests/support/postgres.ts';
import { temporaryFolder, testKey } from '#tests/support/store.ts';

const stored = 'tests/fixtures/release-0.1.0';
const onError = (error: unknown) => {
  throw error;
};
const here = { workspace: 'default', companyKey: 'first' };
const key = readFileSync(join(stored, 'store.key'), 'utf8').trim();

/** A data folder as that release has left it: a company with a paid batch, and one whose response was lost. */
function folderOf010(): string {
  const folder = temporaryFolder();
  for (const name of readdirSync(stored)) {
    copyFileSync(join(stored, name), join(folder, name));
    chmodSync(join(folder, name), 0o600);
  }
  return folder;
}

const tableIn = <Row>(file: string, table: string): Row[] =>
  new Database(file).prepare(`select * from ${table}`).all() as Row[]; // the table's columns

/** The batches that the sandbox has received, in order. */
const received = tableIn<{ kind: string; json: string }>(join(stored, 'sandbox.sqlite'), 'resource')
  .filter(({ kind }) => kind === 'batch')
  .map(({ json }) => parse(json) as { batchId: string; request: Batch });
const [paid, unknown] = received as [(typeof received)[0], (typeof received)[0]];

const organisationId = 'cc19a5e0-4471-4efb-ac52-76ee680d6d03';
const companyId = '18b732d7-ac19-47c7-bfb4-0fd01db41ad4';
const payer = { ...here, owner: comparableOwner({ application: 'sage.sandbox.console', organisationId, companyId }) };

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

/** Asserts that a store has all that matters of the release. */
async function expectTakenOver(storage: Storage): Promise<void> {
  const workspace = await storage.settings.of(here.workspace).get('');
  expect(workspace).toMatchObject({
    providerCountry: 'GB',
    currentScope: 'first',
    userJwt: expect.any(String) as string,
  });
  const company = await storage.settings.of(here.workspace).get(here.companyKey);
  expect(company).toMatchObject({ organisationId, companyId, companyName: 'Example Trading Ltd' });
  const [organisation] = tableIn<{ kind: string; json: string }>(join(stored, 'sandbox.sqlite'), 'resource').filter(
    ({ kind }) => kind === 'organisation',
  );
  expect(company?.['companySigningKey']).toBe(
    (parse(organisation!.json) as Record<string, string>)['primarySigningKey'],
  );
  expect(company).not.toHaveProperty('entering');

  const { paidInvoices } = storage;
  for (const { request, batchId } of [paid, { ...unknown, batchId: '' }])
    for (const { invoices } of identitiesOf(request, []))
      for (const identity of invoices)
        expect(await paidInvoices.covering(payer, [identity])).toMatchObject([{ ...here, batchId }]);
  expect(await paidInvoices.covering(payer, ['another'])).toEqual([]);
  const sums = unknown.request.payments.flatMap((payment) => sumsBy([])(payment).own);
  expect(await paidInvoices.undecided(payer, sums)).toHaveLength(sums.length);
  const [attempt] = await storage.records(paymentAttempts, here).list(undecided);
  expect(attempt).toMatchObject({ state: 'unknown', request: unknown.request, summary: { payments: 10 } });
  expect(await storage.idempotencyKeys.find(here, `write/${attempt!.key}`)).toEqual({
    claimedAt: expect.any(Number) as number,
  });
  const claims = tableIn<{ key: string; answer: string | null }>(join(stored, 'console.sqlite'), 'claims');
  for (const { key: name, answer } of claims.filter((claim) => claim.key.startsWith('default/write/') && claim.answer))
    expect(await storage.idempotencyKeys.find(here, name.slice('default/'.length)), answer!).toHaveProperty('response');
  expect(await storage.receivedIds.record('batch', paid.batchId, 'another write')).toBe(false);

  const subject = { subject: paid.request.subscriptionId! };
  expect(await storage.records(creditors, here).list(subject)).toMatchObject([
    { creditorname: 'Orchard Supplies Ltd' },
  ]);
  expect(await storage.records(messages, here).list()).toHaveLength(2);
  expect(await storage.records(webhooks, here).count()).toBe(2);
  expect(await storage.quarantine.count()).toBe(0);
}

describe('A store of release 0.1.0', () => {
  it('is taken over at the start, with the signing key and the paid invoices (threat 7.16)', async () => {
    const DATA_DIR = folderOf010();
    for (let times = 0; times < 2; times += 1) {
      const storage = await opened({ DATA_DIR });
      await expectTakenOver(storage);
      await storage.close();
    }
    const tables = tableIn<{ name: string }>(join(DATA_DIR, 'console.sqlite'), 'sqlite_master').map(({ name }) => name);
    expect(tables.filter((name) => /^earlier_(?!companies)|^(entries|claims|tallies)/.test(name))).toEqual([]);
  });

  it('is taken over under a new key', async () => {
    const DATA_DIR = folderOf010();
    const STORE_KEY = testKey(5).export().toString('base64');
    const storage = await opened({ DATA_DIR, STORE_KEY, STORE_KEY_PREVIOUS: key });
    await expectTakenOver(storage);
    await storage.close();
    expect(await refusal({ DATA_DIR, STORE_KEY })).toBeUndefined();
  });

  it('keeps apart the companies of a workspace, and other workspaces', async () => {
    const DATA_DIR = folderOf010();
    const encryption = createEncryption([keyFrom(key)]);
    const db = new Database(join(DATA_DIR, 'console.sqlite'));
    const add = (namespace: string, id: string, value: unknown) =>
      db
        .prepare('insert into entries (namespace, key, value) values (?, ?, ?)')
        .run(namespace, id, encryption.encrypt(`json:${JSON.stringify({ value })}`, `${namespace}/${id}`));
    const attempt = { key: 'k', intention: 'i', state: 'done', madeAt: 1, sentAt: 2, despite: [], request: '' };
    add('default/second/settings', 'organisationId', 'O');
    add('default/second/settings', 'companyId', 'C');
    add('default/second/attempts', 'k', { ...attempt, invoices: ['one'], batchId: 'B' });
    add('ann/second/attempts', 'k', { ...attempt, state: 'refused', invoices: ['one'], batchId: '' });
    add('ann/settings', 'acceptLanguage', 'fr-CA');
    add('default/programs', 'hash', { key: 'hash', token: { tokenId: 't' } });
    db.close();
    const storage = await opened({ DATA_DIR });
    const second = { workspace: 'default', companyKey: 'second' };
    const owner = (application: string) => comparableOwner({ application, organisationId: 'O', companyId: 'C' });
    for (const application of ['', 'sage.sandbox.console'])
      expect(await storage.paidInvoices.covering({ ...second, owner: owner(application) }, ['one'])).toMatchObject([
        { ...second, batchId: 'B', reservedAt: 2 },
      ]);
    expect(await storage.paidInvoices.covering(payer, ['one'])).toEqual([]);
    expect((await storage.settings.companies('default')).map(([companyKey]) => companyKey)).toEqual([
      'first',
      'second',
    ]);
    expect(await storage.settings.of('ann').get('')).toEqual({
      acceptLanguage: 'fr-CA',
    });
    await storage.close();
  });

  it('has an invoice that it paid twice as paid twice', async () => {
    const DATA_DIR = folderOf010();
    const encryption = createEncryption([keyFrom(key)]);
    const db = new Database(join(DATA_DIR, 'console.sqlite'));
    const attempt = {
      intention: 'i',
      state: 'done',
      madeAt: 1,
      despite: [],
      request: '',
      invoices: ['twice', 'twice'],
    };
    for (const [id, sentAt] of [
      ['one', 2],
      ['two', 3],
    ] as const) {
      const value = encryption.encrypt(
        `json:${JSON.stringify({ value: { ...attempt, key: id, sentAt, batchId: `batch ${id}` } })}`,
        `default/attempts/${id}`,
      );
      db.prepare(`insert into entries (namespace, key, value) values ('default/attempts', ?, ?)`).run(id, value);
    }
    db.close();
    const storage = await opened({ DATA_DIR });
    expect(await storage.paidInvoices.covering(payer, ['twice'])).toMatchObject([
      { key: 'one', batchId: 'batch one' },
      { key: 'two', batchId: 'batch two' },
    ]);
    await storage.close();
  });

  it('is refused and left as it was if a payment or setting cannot be read, or under another key', async () => {
    for (const place of ['attempts', 'settings']) {
      const DATA_DIR = folderOf010();
      const file = join(DATA_DIR, 'console.sqlite');
      const db = new Database(file);
      db.exec(
        `update entries set value = substr(value, 1, 40) || 'AAAA' || substr(value, 45) where namespace = 'default/${place}'`,
      );
      db.close();
      for (let times = 0; times < 2; times += 1)
        expect(await refusal({ DATA_DIR })).toMatch(
          /: its (payment|setting) default\/\w+\/\S+ of release 0\.1\.0 cannot be read, restore a backup\.$/,
        );
      expect(tableIn(file, 'claims')).toHaveLength(17);
    }
    const DATA_DIR = folderOf010();
    expect(await refusal({ DATA_DIR, STORE_KEY: testKey(3).export().toString('base64') })).toContain(
      `give the one with the fingerprint ${keyIdOf(keyFrom(key))}`,
    );
    expect(await refusal({ DATA_DIR })).toBeUndefined();
  });

  it('has unreadable records of other kinds in quarantine, and claims that cannot be read as used', async () => {
    const DATA_DIR = folderOf010();
    const db = new Database(join(DATA_DIR, 'console.sqlite'));
    db.exec(
      `update entries set value = substr(value, 1, 40) || 'AAAA' || substr(value, 45) where namespace = 'default/creditors'`,
    );
    db.exec(
      `update claims set fingerprint = substr(fingerprint, 1, 40) || 'AAAA' || substr(fingerprint, 45) where key like 'default/write/67f14f81%'`,
    );
    db.close();
    const storage = await opened({ DATA_DIR });
    expect(await storage.quarantine.list('default')).toMatchObject([{ kind: 'creditors' }]);
    const claim = await storage.idempotencyKeys.claim(here, 'write/67f14f81-2737-405a-aff6-dfaec293e7b3', 'x');
    expect(claim).toEqual({ state: 'unreadable' });
    await storage.close();
  });

  it('is not copied to PostgreSQL, and says what to do; neither is a sandbox’s taken for a console’s', async () => {
    const folder = folderOf010();
    const copying = (file: string, url: string) =>
      copyStorage(join(folder, file), url, { keys: [keyFrom(key)], clock, onError });
    const url = await temporaryDatabase();
    await expect(copying('console.sqlite', url)).rejects.toThrow(
      'it was made by release 0.1.0: start the console with it once, which takes it over',
    );
    expect(await refusal({ DATA_DIR: folder, STORE_URL: `file:${join(folder, 'sandbox.sqlite')}` })).toMatch(
      /: it is the database of a sandbox, give the console one of its own\.$/,
    );
    const other = temporaryFolder();
    copyFileSync(join(folder, 'console.sqlite'), join(other, 'sandbox.sqlite'));
    await expect(createSandbox({ data: other, secret: 's' })).rejects.toThrow('it is the database of a console');
  });
});

describe('A PostgreSQL database of release 0.1.0', () => {
  /** A database with what the file has, as that release has copied it there. */
  async function databaseOf010(): Promise<string> {
    const url = await temporaryDatabase();
    await statement(url, readFileSync(join(stored, 'postgres.sql'), 'utf8'));
    await statement(
      url,
      'create table schema_version (version integer not null); insert into schema_version values (2)',
    );
    const text = (value: string | number | null | undefined) =>
      value === null || value === undefined ? 'null' : `'${String(value).replaceAll("'", "''")}'`;
    const file = join(stored, 'console.sqlite');
    for (const row of tableIn<Record<string, string | number | null>>(file, 'entries'))
      await statement(
        url,
        `insert into entries (position, namespace, key, value, owner) values (${Number(row['position'])}, ${['namespace', 'key', 'value', 'owner'].map((name) => text(row[name])).join()})`,
      );
    for (const row of tableIn<Record<string, string | number | null>>(file, 'claims'))
      await statement(
        url,
        `insert into claims (key, fingerprint, answer, claimed_at, server) values (${['key', 'fingerprint', 'answer'].map((name) => text(row[name])).join()}, to_timestamp(${Number(row['claimed_at'])} / 1000.0), 's')`,
      );
    return url;
  }

  it('is taken over at the start, once no server of that release runs (threat 7.16)', async () => {
    const STORE_URL = await databaseOf010();
    const environment = { STORE_URL, STORE_KEY: key, DATA_DIR: temporaryFolder() };
    await statement(STORE_URL, `insert into servers values ('a', 1, now() + interval '20 seconds', '{}')`);
    expect(await refusal(environment)).toMatch(
      /: a server of release 0\.1\.0 runs on it or ended less than a minute ago, stop it and wait a minute\.$/,
    );
    await statement(STORE_URL, `update servers set alive_until = now() - interval '1 second'`);
    for (let times = 0; times < 2; times += 1) {
      const storage = await opened(environment);
      await expectTakenOver(storage);
      await storage.close();
    }
    const tables = await statement(
      STORE_URL,
      'select tablename as name from pg_tables where schemaname = current_schema()',
    );
    expect(JSON.stringify(tables)).not.toMatch(/earlier_(?!companies)|entries|schema_version/);
  });
});

describe('The sandbox’s file of release 0.1.0', () => {
  it('is taken over, with its resources and the answers to repeated calls', async () => {
    const data = folderOf010();
    const secret = readFileSync(join(data, 'sandbox.secret'), 'utf8').trim();
    for (let times = 0; times < 2; times += 1) {
      const sandbox = await createSandbox({ data, secret });
      expect(await sandbox.batches()).toMatchObject(
        received.map(({ batchId, request }) => ({
          batchId,
          status: 'Completed',
          payments: request.payments.map(() => ({})),
        })),
      );
      await sandbox.close();
    }
    const answers = tableIn<{ key: string }>(join(data, 'sandbox.sqlite'), 'stored_answers');
    expect(answers.map((each) => each.key).sort()).toEqual(
      tableIn<{ key: string }>(join(stored, 'sandbox.sqlite'), 'answer')
        .map((each) => each.key)
        .sort(),
    );
    expect(tableIn(join(data, 'sandbox.sqlite'), 'deliveries')).toHaveLength(8);
  });
});
