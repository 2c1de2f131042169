import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Database from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { copyDatabase } from '#server/backup/copy.ts';
import { systemClock } from '#server/clock.ts';
import { copyStore } from '#server/store/copy.ts';
import { openStoreFile } from '#server/store/database.ts';
import { createSeal } from '#server/store/seal.ts';
import type { StoreKeys } from '#server/store/keys.ts';
import { openStores } from '#server/store/store.ts';
import { allPaths } from '#tests/support/coverage.ts';
import { statement, temporaryDatabase } from '#tests/support/postgres.ts';
import { aSession, temporaryFolder, testKey } from '#tests/support/store.ts';

const run = promisify(execFile);
const keys: StoreKeys = [testKey(1)];
const copy = (path: string, url: string, with_: StoreKeys = keys) =>
  copyStore(path, url, createSeal(with_), () => undefined);

async function open(url: string, with_: StoreKeys = keys) {
  const stores = await openStores({ url, keys: with_, clock: systemClock, onError: () => undefined });
  onTestFinished(() => stores.close());
  return stores;
}

const creditor = (id: number, subscriptionId: string) => ({
  creditorId: `c${id}`,
  subscriptionId,
  name: `Creditor ${id}`,
});

/** A file with something in every table, closed; and the id of its session. */
async function aFile() {
  const path = join(temporaryFolder(), 'console.sqlite');
  const stores = await open(`file:${path}`);
  const store = stores.of('ada');
  await store.settings.writeAll({ companyId: 'company', providerCountry: 'GB' });
  for (let id = 250; id > 0; id -= 1)
    await store.creditors.put(`c${id}`, creditor(id, id % 2 ? 'odd' : 'even') as never); // as much of it as is looked at
  await store.creditors.remove('c7');
  await store.creditors.put('c250', { ...creditor(250, 'even'), name: 'Changed later' } as never);
  await stores.of('ben').counts.put('n', 5);
  for (const key of ['done', 'open']) await store.claims.claim(`write/${key}`, 'print');
  await store.claims.finish('write/done', { batchId: 'b' });
  const session = stores.sessions.keyOf(await stores.sessions.begin(aSession));
  await stores.close();
  const db = openStoreFile(`file:${path}`);
  db.prepare("update entries set value = 'x' || value where key = 'c100'").run();
  db.close();
  const mended = await open(`file:${path}`);
  expect(await mended.of('ada').creditors.list()).toHaveLength(248);
  expect(await mended.of('ada').setAside()).toMatchObject([{ kind: 'creditors', id: 'c100' }]);
  await mended.close();
  return { path, session };
}

/** What a store says of itself. */
async function said(url: string, session: string, with_: StoreKeys = keys) {
  const stores = await open(url, with_);
  const store = stores.of('ada');
  const found = {
    settings: await store.settings.read(),
    creditors: await store.creditors.list(),
    odd: await store.creditors.count('odd'),
    ben: await stores.of('ben').counts.get('n'),
    setAside: await store.setAside(),
    done: await store.claims.claim('write/done', 'print'),
    open: (await store.claims.claim('write/open', 'print')).state,
    session: await stores.sessions.use(session),
  };
  await stores.close();
  return found;
}

describe('a copy of a SQLite store in PostgreSQL', () => {
  it('is the same, goes on after it, and is not made again over what servers have written', async () => {
    const { path, session } = await aFile();
    const url = await temporaryDatabase();
    expect(await copy(path, url)).toEqual({
      counted: [
        { table: 'entries', rows: 251, namespaces: 3 },
        { table: 'set_aside', rows: 1, namespaces: 1 },
        { table: 'claims', rows: 2, namespaces: 0 },
        { table: 'sessions', rows: 1, namespaces: 0 },
      ],
    });
    const before = await said(`file:${path}`, session);
    expect(before).toMatchObject({
      odd: 124,
      ben: 5,
      done: { state: 'done' },
      open: 'open',
      session: { name: 'A User' },
    });
    expect(await said(url, session)).toEqual(before);

    const stores = await open(url);
    const { creditors, settings } = stores.of('ada');
    await creditors.put('new', creditor(0, 'odd') as never);
    expect((await creditors.list()).map(({ creditorId }) => creditorId).at(-1)).toBe('c0');
    await settings.write('companyId', 'another');
    await creditors.remove('c9');
    expect(await copy(path, url)).toEqual({ before: expect.any(Date) as Date });
    expect(await creditors.get('c9')).toBeUndefined();
    expect(await creditors.count('odd')).toBe(124);
    expect(await settings.read()).toMatchObject({ companyId: 'another' });
  });

  it('is there in whole or not at all, and can be made after an interruption', async () => {
    const { path, session } = await aFile();
    const url = await temporaryDatabase();
    await (await open(url)).close();
    await statement(
      url,
      `create function fail() returns trigger language plpgsql as $$ begin raise 'interrupted'; end $$;
       create trigger fail before insert on sessions for each row execute function fail()`,
    );
    await expect(copy(path, url)).rejects.toThrow('interrupted');
    for (const table of ['entries', 'tallies', 'set_aside', 'claims', 'copied'])
      expect(await statement(url, `select * from ${table}`), table).toEqual([]);
    await statement(url, 'drop trigger fail on sessions');
    expect(await copy(path, url)).toHaveProperty('counted');
    expect(await said(url, session)).toEqual(await said(`file:${path}`, session));
  });

  it('is refused if what arrives is not what was sent', async () => {
    const { path } = await aFile();
    const url = await temporaryDatabase();
    await (await open(url)).close();
    await statement(
      url,
      `create function lose() returns trigger language plpgsql as
         $$ begin return case when new.key = 'c42' then null else new end; end $$;
       create trigger lose before insert on entries for each row execute function lose()`,
    );
    await expect(copy(path, url)).rejects.toThrow(
      /nothing was copied, because entries would not have had the same records there \(ada\/creditors\)/,
    );
    expect(await statement(url, 'select * from entries')).toEqual([]);
  });

  it('of a file under an older key needs the new one alone', async () => {
    const { path, session } = await aFile();
    const url = await temporaryDatabase();
    await expect(copy(path, url, [testKey(2)])).rejects.toThrow('which is not given');
    await copy(path, url, [testKey(2), testKey(1)]);
    expect(await said(url, session, [testKey(2)])).toEqual(await said(`file:${path}`, session, [testKey(2)]));
  });

  it('is not made in a database that holds something else, or on which a server runs', async () => {
    const { path } = await aFile();
    const foreign = await temporaryDatabase();
    await statement(foreign, 'create table orders (id integer)');
    await expect(copy(path, foreign)).rejects.toThrow(/it holds tables of something else \(orders\)/);
    expect(await statement(foreign, "select to_regclass('entries') as entries")).toEqual([{ entries: null }]);
    const used = await temporaryDatabase();
    const stores = await open(used);
    await expect(copy(path, used)).rejects.toThrow('a server runs on it, stop it first');
    await stores.of('ada').counts.put('n', 1);
    await stores.close();
    await expect(copy(path, used)).rejects.toThrow('it holds records that are not of this file');
    const other = await aFile();
    const copied = await temporaryDatabase();
    await copy(path, copied);
    await expect(copy(other.path, copied)).rejects.toThrow('it holds records that are not of this file');
  });
});

describe('npm run copy-store', () => {
  /** Such a file that this process does not lock: the driver lets go of a file only once its statements are collected. */
  async function unlocked(): Promise<string> {
    const path = join(temporaryFolder(), 'console.sqlite');
    await copyDatabase((await aFile()).path, path);
    return path;
  }
  const command = (
    environment: Record<string, string>,
    ...given: string[]
  ): Promise<{ code: number; printed: string }> =>
    run(process.execPath, ['scripts/copyStore.mjs', ...given], {
      env: { ...process.env, STORE_KEY: '', STORE_KEY_PREVIOUS: '', DATA_DIR: '', UPSTREAM: '', ...environment },
    }).then(
      ({ stdout, stderr }) => ({ code: 0, printed: stdout + stderr }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
        code,
        printed: stdout + stderr,
      }), // of execFile
    );

  it('copies the file in DATA_DIR, or the one that is named, and says what it counted', async () => {
    const path = await unlocked();
    const STORE_KEY = Buffer.alloc(32, 1).toString('base64');
    const STORE_URL = await temporaryDatabase();
    const to = new URL(STORE_URL);
    const done = await command({ STORE_URL, STORE_KEY, DATA_DIR: join(path, '..') });
    expect(done).toEqual({
      code: 0,
      printed: `entries: 251 rows in 3 namespaces\nset_aside: 1 row in 1 namespace\nclaims: 2 rows\nsessions: 1 row\nEverything in ${path} is in ${to.host}${to.pathname}, counted in both.\n`,
    });
    const again = await command({ STORE_URL, STORE_KEY }, `file:${path}`);
    expect(again).toEqual({
      code: 0,
      printed: expect.stringMatching(/ was copied to .* on 20.*Z; nothing was copied again/) as string,
    });
  }, 60_000);

  it('says what is wrong, without the password', async () => {
    const path = await unlocked();
    const folder = temporaryFolder();
    const STORE_KEY = Buffer.alloc(32, 1).toString('base64');
    const STORE_URL = await temporaryDatabase();
    const inUse = await unlocked();
    const db = openStoreFile(`file:${inUse}`);
    onTestFinished(() => void db.close());
    mkdirSync(join(folder, 'data'));
    const foreign = join(folder, 'sandbox.sqlite');
    new Database(foreign).exec('create table resource (id text)');
    const wrong = [
      [{ STORE_URL }, [path], 1, /^STORE_KEY is missing: give the key of the file, .*\/store\.key unless/],
      [{ STORE_URL: '', STORE_KEY }, [path], 1, /^STORE_URL names no PostgreSQL database: give the one to copy to/],
      [{ STORE_URL, STORE_KEY }, [join(folder, 'none')], 1, /^There is nothing to copy: .*none is missing\.\n$/],
      [{ STORE_URL, STORE_KEY }, [join(folder, 'data')], 1, /^.*data cannot be opened as an SQLite store \(.*\)/],
      [
        { STORE_URL, STORE_KEY },
        [foreign],
        1,
        /sandbox\.sqlite cannot be opened .* \(it holds tables of something else\)/,
      ],
      [{ STORE_URL, STORE_KEY }, [inUse], 1, /^.* is in use: stop the console that works on it first\./],
      [{ STORE_URL, STORE_KEY }, [path, path], 2, /^Usage: npm run copy-store/],
    ] as const;
    for (const [environment, given, code, sentence] of wrong.filter((_, index) => allPaths || index % 3 === 0)) {
      const said_ = await command(environment, ...given);
      expect(said_).toMatchObject({ code, printed: expect.stringMatching(sentence) as string });
      expect(said_.printed).not.toContain('secret');
    }
    expect(existsSync(join(folder, 'none'))).toBe(false);
    const other = await command({ STORE_URL, STORE_KEY: Buffer.alloc(32, 9).toString('base64') }, path);
    expect(other).toMatchObject({
      code: 1,
      printed: expect.stringMatching(/^STORE_KEY is not the key that the data were encrypted with/) as string,
    });
  }, 60_000);
});
