import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Database from 'libsql';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { copyDatabase } from '#server/ops/backup.ts';
import { offerWork } from '#server/ops/operatorSocket.ts';
import { apiAt } from '#tests/support/api.ts';
import { silent } from '#tests/support/console.ts';
import { newConsole } from '#tests/support/consoleProcess.ts';
import { batchIn, walk } from '#tests/support/guidedPath.ts';
import { known, timelineOf } from '#tests/support/knownRecords.ts';
import { startCommand } from '#tests/support/startCommand.ts';
import { temporaryFile, testDatabase } from '#tests/support/storage.ts';
import { temporaryFolder } from '#tests/support/store.ts';
import { statement, temporaryDatabase } from '#tests/support/postgres.ts';

const run = promisify(execFile);
const newKey = () => randomBytes(32).toString('base64');

/** Runs the command; resolves with its exit code and what it printed. */
const backUp = (dataDir: string, ...folders: string[]) => backUpWith({ DATA_DIR: dataDir }, ...folders);
const backUpWith = (environment: Record<string, string>, ...folders: string[]) =>
  startCommand(['backup', ...folders], environment);

/** A console as `npm start` runs it, with its own data. */
async function aConsole() {
  const dataDir = temporaryFolder();
  const key = newKey();
  const console = await newConsole({ DATA_DIR: dataDir, STORE_KEY: key });
  onTestFinished(() => console.remove());
  return { ...console, ...apiAt(console.url), dataDir, key };
}

/** Copies the files of a backup into an empty data folder, as on another machine. */
function restored(backup: string): string {
  const dataDir = temporaryFolder();
  for (const file of readdirSync(backup)) copyFileSync(join(backup, file), join(dataDir, file));
  return dataDir;
}

beforeAll(() => run(process.execPath, ['-e', "import('./scripts/ready.mjs').then(({ ready }) => ready())"]), 120_000);

describe('A backup', { timeout: 120_000 }, () => {
  it('of a running console restores all data with the same key, and is refused with another key', async () => {
    const server = await aConsole();
    await server.start();
    const { subscriptionId } = await walk(server);
    await server.done('makeProgramToken', { body: { name: 'Nightly run' } });
    await batchIn(server, 'Completed', (await server.done('getSettings')).batchId);
    const before = await known(server);
    const entries = await timelineOf(server);
    expect(before).toMatchObject({ debtors: { data: [{ subscriptionId }] }, setAside: { data: [] } });
    expect(entries.size).toBeGreaterThan(20);

    // Writes continue during the backup.
    let goesOn = true;
    const written: string[] = [];
    const writing = (async () => {
      for (let number = 0; goesOn; number += 1) {
        await server.done('setSetting', { body: { key: 'acceptLanguage', value: number % 2 ? 'en' : 'fr-FR' } });
        written.push(String(number));
      }
    })();
    const backup = join(temporaryFolder(), 'monday');
    expect(await backUp(server.dataDir, backup)).toMatchObject({ code: 0 });
    goesOn = false;
    await writing;
    expect(written.length).toBeGreaterThan(10);
    expect(readdirSync(backup).sort()).toEqual(['console.sqlite', 'sandbox.sqlite']);
    expect(readdirSync(backup).map((file) => statSync(join(backup, file)).mode & 0o077)).toEqual([0, 0]);
    expect(await server.stop('SIGTERM')).toBe(0);

    const elsewhere = restored(backup);
    await expect(server.start({ DATA_DIR: elsewhere, STORE_KEY: newKey() })).rejects.toThrow(
      /STORE_KEY is not the key that the data were encrypted with: give the one with the fingerprint [0-9a-f]{16} as STORE_KEY/,
    );
    await server.start({ DATA_DIR: elsewhere });
    await server.done('setSetting', { body: { key: 'acceptLanguage', value: before.settings.acceptLanguage } });
    expect(await known(server)).toEqual(before);
    const after = await timelineOf(server);
    expect([...entries.keys()].filter((id) => !after.has(id))).toEqual([]);
    for (const [id, entry] of entries) expect(after.get(id)).toEqual(entry);
    // The restored sandbox has the same subscription.
    expect((await server.done('getSubscription', { params: { subscriptionId } })).data.data.status).toBe('Authorised');
  });

  it('omits a sandbox database in PostgreSQL, and says so', async () => {
    const dataDir = temporaryFolder();
    for (const name of ['console', 'sandbox']) {
      const db = new Database(join(dataDir, `${name}.sqlite`));
      db.exec('create table kept (id integer)');
      db.close();
    }
    const to = join(temporaryFolder(), 'monday');
    expect(await backUpWith({ DATA_DIR: dataDir, SANDBOX_STORE_URL: 'postgres://a:b@c/d' }, to)).toEqual({
      code: 0,
      printed: expect.stringContaining(
        'SANDBOX_STORE_URL names a PostgreSQL database: copy it with pg_dump.',
      ) as string,
    });
    expect(readdirSync(to)).toEqual(['console.sqlite']);
  });

  it('is complete even if the command’s output is closed', async () => {
    const dataDir = temporaryFolder();
    for (const name of ['console', 'sandbox']) {
      const db = new Database(join(dataDir, `${name}.sqlite`));
      db.exec('create table kept (id integer)');
      db.close();
    }
    const to = join(temporaryFolder(), 'monday');
    const child = spawn(process.execPath, ['scripts/start.mjs', 'backup', to], {
      env: { ...process.env, STORE_URL: '', UPSTREAM: 'sandbox', DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    child.stdout.destroy();
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(readdirSync(to).sort()).toEqual(['console.sqlite', 'sandbox.sqlite']);
  });

  it('can be made of a console that was killed, and overwrites no existing backup', async () => {
    const server = await aConsole();
    await server.start();
    await server.done('setSetting', { body: { key: 'providerCountry', value: 'ZA' } });
    await server.stop('SIGKILL');
    const backup = temporaryFolder();
    expect(await backUp(server.dataDir, backup)).toMatchObject({ code: 0 });
    expect(await backUp(server.dataDir, backup)).toEqual({
      code: 1,
      printed: `${backup}/console.sqlite is there already: give a folder without it.\n`,
    });
    await server.start({ DATA_DIR: restored(backup) });
    expect(await server.done('getSettings')).toMatchObject({ providerCountry: 'ZA' });
  });

  it('fails with a sentence about wrong arguments, a PostgreSQL store or a folder without data', async () => {
    const dataDir = temporaryFolder();
    expect(await backUp(dataDir)).toMatchObject({ code: 2, printed: expect.stringMatching(/^Usage: /) as string });
    expect(await backUp(dataDir, 'there')).toEqual({
      code: 1,
      printed: `There is nothing to copy: neither STORE_URL nor DATA_DIR (${JSON.stringify(dataDir)}) has an SQLite file.\n`,
    });
    const shared = { STORE_URL: 'postgres://console:secret@127.0.0.1/console', STORE_KEY: newKey() };
    expect(await backUpWith(shared, 'there')).toEqual({
      code: 1,
      printed: 'STORE_URL names a PostgreSQL database: copy it with pg_dump. Nothing was copied.\n',
    });
  });
});

describe('A copy of an SQLite file', () => {
  async function opened() {
    const url = await temporaryFile();
    const database = await testDatabase(url);
    const put = (key: number) =>
      database.write((db) =>
        db
          .insertInto('settings')
          .values({ workspace: 'w', company_key: String(key), value: 'value' })
          .execute(),
      );
    return { file: url.slice('file:'.length), database, put };
  }
  async function rows(file: string): Promise<number> {
    const { read } = await testDatabase(`file:${file}`);
    return (await read((db) => db.selectFrom('settings').select('company_key').execute())).length;
  }

  it('contains all earlier writes and whole transactions only, and leaves the file locked', async () => {
    const { file, database, put } = await opened();
    for (let key = 0; key < 100; key += 1) await put(key);
    const to = join(temporaryFolder(), 'copy.sqlite');
    let done = false;
    const copied = copyDatabase(file, to).finally(() => (done = true));
    let key = 100;
    for (; !done; key += 2) {
      await database.transaction('w', async () => {
        await put(key);
        await put(key + 1);
      });
      await new Promise((resolve) => setImmediate(resolve));
    }
    await copied;
    expect(key).toBeGreaterThan(102);
    const count = await rows(to);
    expect(count).toBeGreaterThanOrEqual(100);
    expect(count % 2).toBe(0);
    const open = `new (require('libsql'))(${JSON.stringify(`file://${file}?vfs=unix-excl`)}).exec('delete from settings')`;
    await expect(run(process.execPath, ['-e', open])).rejects.toThrow('database is locked');
    // Opening it here again reads its header, which ends this process's lock.
    expect(await rows(file)).toBe(key);
  });

  it('is complete or not created', async () => {
    const { file } = await opened();
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    await expect(copyDatabase(file, join(folder, 'file', 'copy.sqlite'))).rejects.toThrow(
      /^.*console\.sqlite cannot be copied to .*copy\.sqlite: .*(ENOTDIR|EEXIST).*\.$/,
    );
    if (process.platform === 'linux')
      await expect(copyDatabase(file, '/proc/some/copy.sqlite')).rejects.toThrow(/ENOENT.*\.$/);
    const broken = join(folder, 'broken.sqlite');
    writeFileSync(broken, 'shopping list: '.repeat(100));
    await expect(copyDatabase(broken, join(folder, 'copy.sqlite'))).rejects.toThrow('not a database');
    expect(readdirSync(folder).filter((name) => name.startsWith('copy'))).toEqual([]);
  });

  it('is offered by a socket with mode 0600, which replaces a stale file and is removed at the end', async () => {
    const { file } = await opened();
    const path = `${file}.backup`;
    writeFileSync(path, 'left behind');
    const end = await offerWork(file, silent);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await end();
    expect(existsSync(path)).toBe(false);
  });

  it('is not offered if the socket’s path is too long, which is no error', async () => {
    const end = await offerWork(join(temporaryFolder(), 'x'.repeat(100)), silent);
    await end();
  });
});

/** Whether this machine has a pg_dump that the server of this URL accepts: one of its version or a later one. */
async function canDump(url: string): Promise<boolean> {
  const { stdout } = await run('pg_dump', ['--version']).catch(() => ({ stdout: '' }));
  const [{ version } = { version: 0 }] = await statement(
    url,
    `select current_setting('server_version_num') as version`,
  );
  return Number(/ (\d+)/.exec(stdout)?.[1] ?? 0) >= Math.floor(Number(version) / 10_000);
}

// backup.long.test.ts tests more of the restored data, with a copied file.
it(
  'A restored PostgreSQL dump has all data with the same key, and is refused with another key',
  { timeout: 120_000 },
  async () => {
    const url = await temporaryDatabase();
    const elsewhere = await temporaryDatabase();
    const console = await newConsole({ STORE_URL: url, STORE_KEY: newKey() });
    onTestFinished(() => console.remove());
    const server = { ...console, ...apiAt(console.url) };
    await server.start();
    await walk(server);
    await batchIn(server, 'Completed', (await server.done('getSettings')).batchId);
    await server.done('makeProgramToken', { body: { name: 'Nightly run' } });
    const before = await known(server);
    const entries = await timelineOf(server);

    const dumps = await canDump(url);
    const dump = join(temporaryFolder(), 'console.dump');
    // The console is running.
    if (dumps) await run('pg_dump', ['--format=custom', `--file=${dump}`, url]);
    expect(await server.stop('SIGTERM')).toBe(0);
    if (dumps) {
      await run('pg_restore', [
        '--clean',
        '--if-exists',
        '--exit-on-error',
        '--no-owner',
        `--dbname=${elsewhere}`,
        dump,
      ]);
    } else {
      // Where there is no pg_dump of the server's version, the server itself copies the database.
      const [from, to] = [url, elsewhere].map((each) => new URL(each).pathname.slice(1));
      const own = new URL(url);
      own.pathname = '/postgres';
      await statement(own.href, `drop database ${to}`);
      await statement(own.href, `create database ${to} template ${from}`);
    }

    await expect(server.start({ STORE_URL: elsewhere, STORE_KEY: newKey() })).rejects.toThrow(
      /STORE_KEY is not the key that the data were encrypted with/,
    );
    await server.start({ STORE_URL: elsewhere });
    expect(await known(server)).toEqual(before);
    const after = await timelineOf(server);
    for (const [id, entry] of entries) expect(after.get(id)).toEqual(entry);
  },
);
