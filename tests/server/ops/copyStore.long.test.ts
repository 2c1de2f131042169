import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { copyDatabase } from '#server/ops/backup.ts';
import { systemClock } from '#server/clock.ts';
import { copyStorage } from '#server/storage/copy.ts';
import { tableNames } from '#server/storage/schema.ts';
import { addressOf } from '#server/storage/sqliteConnection.ts';
import { statement, temporaryDatabase } from '#tests/support/postgres.ts';
import { startCommand } from '#tests/support/startCommand.ts';
import { here, temporaryFile, testDatabase, testStorage } from '#tests/support/storage.ts';
import { temporaryFolder, testKey } from '#tests/support/store.ts';

const keys = [testKey(1)] as const;
const copy = (path: string, url: string) =>
  copyStorage(path, url, { keys, clock: systemClock, onError: () => undefined });

const settingsIn = async (url: string) => (await testStorage(url, { keys })).settings.of<string>(here.workspace);

/** A closed file with 250 settings, a write and a session. */
async function aFile(): Promise<string> {
  const url = await temporaryFile();
  const storage = await testStorage(url, { keys });
  const all = Array.from({ length: 250 }, (_, index) => ({ key: `key ${index}`, value: `value ${index}` }));
  await storage.settings.of<string>(here.workspace).setMany(all);
  await storage.writes.claim({
    ...here,
    key: 'key',
    call: 'createBatch',
    fingerprint: 'print',
    serviceKey: 'service',
    serviceTime: undefined,
    body: null,
  });
  await storage.sessions<string>().begin('session', { value: 'user', startedAt: 1, usedAt: 1 });
  await storage.close();
  return url.slice('file:'.length);
}

/** A new PostgreSQL database with the console's tables, all empty. */
async function emptyTables(): Promise<string> {
  const url = await temporaryDatabase();
  await (await testDatabase(url)).close();
  return url;
}

async function insistOnNothing(url: string): Promise<void> {
  for (const table of tableNames) expect(await statement(url, `select * from ${table}`), table).toEqual([]);
}

describe('Copying an SQLite file to PostgreSQL', () => {
  it('copies everything or nothing, and succeeds after an interrupted attempt', async () => {
    const [path, url] = [await aFile(), await emptyTables()];
    await statement(
      url,
      `create function fail() returns trigger language plpgsql as $$ begin raise 'interrupted'; end $$;
       create trigger fail before insert on sessions for each row execute function fail()`,
    );
    await expect(copy(path, url)).rejects.toThrow('interrupted');
    await insistOnNothing(url);
    await statement(url, 'drop trigger fail on sessions');
    expect(await copy(path, url)).toMatchObject({ settings: 250, sessions: 1 });
    expect(await (await settingsIn(url)).get('key 249')).toBe('value 249');
  });

  it('is rolled back if the database stored fewer rows than were sent', async () => {
    const [path, url] = [await aFile(), await emptyTables()];
    await statement(
      url,
      `create function lose() returns trigger language plpgsql as
         $$ begin return case when new.company_key = 'key 42' then null else new end; end $$;
       create trigger lose before insert on settings for each row execute function lose()`,
    );
    await expect(copy(path, url)).rejects.toThrow(
      'nothing was copied, because settings would have had 249 rows instead of 250',
    );
    await insistOnNothing(url);
  });
});

describe('The command npm run copy-store', () => {
  /** Such a file without a lock of this process: the driver keeps its lock until its statements are garbage-collected. */
  async function unlocked(): Promise<string> {
    const path = join(temporaryFolder(), 'console.sqlite');
    await copyDatabase(await aFile(), path);
    return path;
  }
  const command = (environment: Record<string, string>, ...given: string[]) =>
    startCommand(['copy-store', ...given], environment);

  it('copies the file in DATA_DIR or a given one once, and prints the number of rows', async () => {
    const path = await unlocked();
    const STORE_KEY = Buffer.alloc(32, 1).toString('base64');
    const STORE_URL = await temporaryDatabase();
    const to = new URL(STORE_URL);
    const done = await command({ STORE_URL, STORE_KEY, DATA_DIR: join(path, '..') });
    expect(done).toEqual({
      code: 0,
      printed: `index_key: 1 row\nrecords: 0 rows\nwrites: 1 row\ninvoice_lines: 0 rows\ntimeline: 0 rows\nsessions: 1 row\nsettings: 250 rows\nquarantine: 0 rows\nEverything in ${path} is in ${to.host}${to.pathname}, counted in both.\n`,
    });
    const again = await command({ STORE_URL, STORE_KEY }, `file:${path}`);
    expect(again).toEqual({
      code: 0,
      printed: `${path} was copied to ${to.host}${to.pathname} before; nothing was copied again, and what was written to it since is not there.\n`,
    });
  }, 60_000);

  it('fails with one sentence about each wrong argument or variable, without the password', async () => {
    const path = await unlocked();
    const folder = temporaryFolder();
    const STORE_KEY = Buffer.alloc(32, 1).toString('base64');
    const STORE_URL = await temporaryDatabase();
    const inUse = await unlocked();
    const db = new Database(addressOf(inUse));
    db.exec('pragma journal_mode = wal; begin immediate; rollback'); // takes the lock
    onTestFinished(() => void db.close());
    mkdirSync(join(folder, 'data'));
    const foreign = join(folder, 'sandbox.sqlite');
    new Database(foreign).exec('create table resource (id text)');
    const wrong = [
      [{ STORE_URL }, [path], 1, /^STORE_KEY is missing: give the key of the file, .*\/store\.key unless/],
      [{ STORE_URL: '', STORE_KEY }, [path], 1, /^STORE_URL names no PostgreSQL database: give the one to copy to/],
      [{ STORE_URL, STORE_KEY }, [join(folder, 'none')], 1, /^There is nothing to copy: .*none is missing\.\n$/],
      [
        { STORE_URL, STORE_KEY },
        [join(folder, 'data')],
        1,
        /^.*data cannot be copied: it cannot be used \(.*Nothing was copied\.\n$/,
      ],
      [
        { STORE_URL, STORE_KEY },
        [foreign],
        1,
        /sandbox\.sqlite cannot be copied: it holds tables of something else \(resource\), /,
      ],
      [{ STORE_URL, STORE_KEY }, [inUse], 1, /^.* cannot be copied: another process is using it, stop that process /],
      [{ STORE_URL, STORE_KEY }, [path, path], 2, /^Usage: npm run copy-store/],
    ] as const;
    for (const [environment, given, code, sentence] of wrong) {
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
