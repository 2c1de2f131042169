import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import { systemClock as clock } from '#server/clock.ts';
import { parseConfig } from '#server/config/config.ts';
import { copyDatabase } from '#server/ops/backup.ts';
import { startFailure } from '#server/ops/startFailure.ts';
import { checkStores } from '#server/ops/stores.ts';
import { sandboxSecretOf } from '#server/embedded/secretFile.ts';
import { createSandbox } from '#server/sandbox/createSandbox.ts';
import { copyStorage } from '#server/storage/copy.ts';
import { keyFrom } from '#server/storage/keys.ts';
import { silent } from '#tests/support/console.ts';
import { statement, temporaryDatabase } from '#tests/support/postgres.ts';
import { temporaryFolder, testKey } from '#tests/support/store.ts';
import { collectionIn } from '#tests/support/storage.ts';

const accepted = { ACCEPT_STORE: 'true' };
const onError = () => undefined;
const applicationOf = () => 'application';
const isDone = { id: 'batch', at: 'here' };

/** Opens the console's store as the console does, writes and closes it; returns the refusal. */
async function start(environment: Record<string, string>): Promise<string | undefined> {
  const config = parseConfig(environment);
  try {
    const storage = await checkStores(config, silent).open({ clock, onError, applicationOf });
    await storage.settings.of('w').set('last', isDone);
    await storage.close();
  } catch (error) {
    return startFailure(error, config) ?? (error as Error).message; // an error of the configuration
  }
  return undefined;
}

/** What the console's store holds. */
async function stored(environment: Record<string, string>): Promise<unknown> {
  const storage = await checkStores(parseConfig(environment), silent).open({ clock, onError, applicationOf });
  try {
    return await storage.settings.of('w').get('last');
  } finally {
    await storage.close();
  }
}

/** Opens an embedded sandbox's store as the console does, and closes it. */
async function startSandbox(dataDir: string, more: Record<string, string> = {}): Promise<void> {
  const { acceptLoss } = checkStores(parseConfig({ DATA_DIR: dataDir, ...more }), silent);
  const { secret, keep } = sandboxSecretOf({ dataDir });
  const sandbox = await createSandbox({ data: dataDir, secret, acceptLoss });
  keep();
  await sandbox.close();
}

/** A folder with the store of a console that has ended. */
async function used(more: Record<string, string> = {}) {
  const dataDir = join(temporaryFolder(), 'data');
  const environment = { DATA_DIR: dataDir, ...more };
  expect(await start(environment)).toBeUndefined();
  return { dataDir, environment, file: join(dataDir, 'console.sqlite') };
}

const STORE_KEY = testKey(1).export().toString('base64');
const remove = (file: string) => ['', '-wal', '-shm'].forEach((end) => rmSync(file + end, { force: true }));

describe('The store of a console that is started again', () => {
  it('is used as it is, also after its folder was moved or is reached by a symbolic link', async () => {
    const { dataDir, environment } = await used();
    expect(await start(environment)).toBeUndefined();
    const moved = join(temporaryFolder(), 'moved');
    renameSync(dataDir, moved);
    expect(await start({ DATA_DIR: moved })).toBeUndefined();
    symlinkSync(moved, dataDir);
    expect(await stored({ DATA_DIR: dataDir })).toEqual(isDone);
  });

  it.each<[string, (file: string) => unknown]>([
    ['missing', remove],
    ['emptied', (file) => (remove(file), writeFileSync(file, ''))],
    [
      'emptied beside its write-ahead log',
      (file) => (remove(file), writeFileSync(file, ''), writeFileSync(`${file}-wal`, 'rest')),
    ],
    [
      'a link to a file that is missing',
      (file) => (remove(file), symlinkSync(join(temporaryFolder(), 'unmounted.sqlite'), file)),
    ],
    [
      'without its tables',
      (file) => (remove(file), new Database(file).exec('create table x (y); drop table x; vacuum')),
    ],
    ['without its rows', (file) => new Database(file).exec('delete from index_key; delete from settings')],
  ])('is refused where it is %s, and starts afresh only if that is accepted (threat 7.13)', async (_, lose) => {
    for (const key of ['', STORE_KEY]) {
      const { dataDir, environment, file } = await used({ STORE_KEY: key });
      lose(file);
      const before = readdirSync(dataDir).sort();
      for (let times = 0; times < 2; times += 1) {
        const refused = await start(environment);
        expect(refused).toContain(': it holds no store, although one was kept in it: restore a backup.');
        expect(refused).toMatch(/^DATA_DIR names the file .* give --accept-store or ACCEPT_STORE=true: then invoices /);
      }
      expect(
        readdirSync(dataDir)
          .filter((name) => !/-(wal|shm)$/.test(name))
          .sort(),
      ).toEqual(before.filter((name) => !/-(wal|shm)$/.test(name)));
      expect(await start({ ...environment, ...accepted })).toBeUndefined();
      expect(await start(environment)).toBeUndefined();
    }
  });

  it('is refused if another store is in its place, which was not used here (threat 7.13)', async () => {
    const [one, other] = [await used({ STORE_KEY }), await used({ STORE_KEY })];
    remove(one.file);
    copyFileSync(other.file, one.file);
    expect(await start(one.environment)).toMatch(
      /: it is not the store that this console used last: put that one back/,
    );
    expect(await start({ ...one.environment, ...accepted })).toBeUndefined();
    expect(await start(one.environment)).toBeUndefined();
  });

  it('is refused at another place that is empty, whichever name it has (threat 7.13)', async () => {
    const { environment, dataDir } = await used();
    for (const STORE_URL of [
      `file:${join(temporaryFolder(), 'new.sqlite')}`,
      `file:${join(dataDir, 'consoel.sqlite')}`,
    ])
      expect(await start({ ...environment, STORE_URL })).toMatch(
        /^(STORE_URL|DATA_DIR) .*: it holds no store, although one was kept in \S+console\.sqlite: give that one, or /,
      );
    expect(await start(environment)).toBeUndefined();
  });

  it('is refused if nothing is left but its key (threat 7.13)', async () => {
    const { environment, dataDir, file } = await used();
    for (const path of [file, join(dataDir, 'store.json')]) remove(path);
    expect(await start(environment)).toContain(': it holds no store, although one was kept in it');
    expect(existsSync(file)).toBe(false);
    expect(await start({ ...environment, ...accepted })).toBeUndefined();
  });

  it('is accepted where it was restored from a backup, also into an empty folder', async () => {
    const { environment, dataDir, file } = await used();
    const backup = join(temporaryFolder(), 'console.sqlite');
    await copyDatabase(file, backup);
    remove(file);
    copyFileSync(backup, file);
    expect(await stored(environment)).toEqual(isDone);
    const empty = temporaryFolder();
    copyFileSync(backup, join(empty, 'console.sqlite'));
    copyFileSync(join(dataDir, 'store.key'), join(empty, 'store.key'));
    chmodSync(join(empty, 'store.key'), 0o600);
    expect(await stored({ DATA_DIR: empty })).toEqual(isDone);
  });

  it('is not accepted in advance: the option is refused where nothing is lost', async () => {
    const { environment } = await used(accepted);
    expect(await start(environment)).toMatch(
      /^ACCEPT_STORE is true, but the store lacks nothing: leave --accept-store/,
    );
  });

  it('is refused with a sentence in a folder that is a file, or below one', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    for (const DATA_DIR of [file, join(file, 'data')])
      for (const key of ['', STORE_KEY])
        expect(await start({ DATA_DIR, STORE_KEY: key })).toMatch(
          /^DATA_DIR .*, give a (folder|file) that this user may write\.$/,
        );
  });

  it('is told by a file that has to be readable', async () => {
    const { environment, dataDir } = await used();
    for (const text of ['', '{', '[]', '{"id":1}', 'null']) {
      writeFileSync(join(dataDir, 'store.json'), text);
      expect(await start(environment)).toMatch(/store\.json does not say which store was used last: restore it, or/);
    }
  });
});

describe('A key that is missing beside its store', () => {
  it.each(['store.key', 'sandbox.secret'])('is not replaced: %s (threat 7.13)', async (name) => {
    for (const more of [{}, accepted]) {
      const { dataDir } = await used();
      await startSandbox(dataDir);
      rmSync(join(dataDir, name));
      const before = readdirSync(dataDir).sort();
      expect(await start({ DATA_DIR: dataDir, ...more })).toMatch(
        new RegExp(
          `${name} is missing, although \\S+\\.sqlite was made with it: put it back\\. To begin anew, move that`,
        ),
      );
      expect(readdirSync(dataDir).sort()).toEqual(before);
    }
  });

  it('is not replaced if it is a link to a file that is missing, such as one on a disk that is not mounted', async () => {
    const { dataDir, environment } = await used();
    const key = join(dataDir, 'store.key');
    rmSync(key);
    symlinkSync('/nowhere/store.key', key);
    expect(await start(environment)).toMatch(/store\.key is missing \(a link to a file that is missing\), although/);
    const empty = temporaryFolder();
    symlinkSync('/nowhere/store.key', join(empty, 'store.key'));
    expect(await start({ DATA_DIR: empty })).toMatch(
      /store\.key is a link to a file that is missing: put the file there/,
    );
  });

  it('is not left by a first start that does not come to make its store', () => {
    const dataDir = temporaryFolder();
    const first = sandboxSecretOf({ dataDir });
    expect(existsSync(join(dataDir, 'sandbox.secret'))).toBe(false);
    expect(sandboxSecretOf({ dataDir }).secret).toBe(first.secret);
    sandboxSecretOf({ dataDir }).keep();
    expect(readFileSync(join(dataDir, 'sandbox.secret'), 'utf8').trim()).toBe(first.secret);
  });
});

describe('The sandbox’s file', () => {
  it('is refused if it is missing beside its secret', async () => {
    const { dataDir, environment } = await used();
    await startSandbox(dataDir);
    remove(join(dataDir, 'sandbox.sqlite'));
    expect(await start(environment)).toContain('sandbox.sqlite: it holds no store, although one was kept in it');
    await startSandbox(dataDir, accepted);
    expect(await stored(environment)).toEqual(isDone);
  });
});

describe('A write-ahead log', () => {
  /** A folder as a killed console leaves it: what was confirmed is in the log alone. */
  async function killed() {
    const { dataDir } = await used({ STORE_KEY });
    const left = join(temporaryFolder(), 'left');
    const config = parseConfig({ DATA_DIR: dataDir, STORE_KEY });
    const storage = await checkStores(config, silent).open({ clock, onError, applicationOf });
    await storage.settings.of('w').set('last', 'paid');
    mkdirSync(left);
    for (const name of readdirSync(dataDir)) copyFileSync(join(dataDir, name), join(left, name));
    for (const name of readdirSync(left)) chmodSync(join(left, name), 0o600);
    await storage.close();
    return { environment: { DATA_DIR: left, STORE_KEY }, file: join(left, 'console.sqlite') };
  }

  it('of a killed console is read at the next start', async () => {
    const { environment } = await killed();
    expect(await stored(environment)).toBe('paid');
  });

  it.each<[string, (log: string) => void]>([
    ['missing', rmSync],
    ['empty', truncateSync],
  ])('that is %s after the console was killed refuses the start (threat 7.13)', async (_, lose) => {
    const { environment, file } = await killed();
    lose(`${file}-wal`);
    for (let times = 0; times < 2; times += 1)
      expect(await start(environment)).toMatch(
        /: its write-ahead log \S+console\.sqlite-wal is missing, which holds what was stored last: put it back, or/,
      );
    expect(await start({ ...environment, ...accepted })).toBeUndefined();
    expect(await start(environment)).toBeUndefined();
  });

  it('that another program has applied to its file is not missed', async () => {
    const { environment, file } = await killed();
    const other = new Database(file);
    other.exec('pragma wal_checkpoint(truncate)');
    other.close();
    rmSync(`${file}-wal`, { force: true });
    expect(await stored(environment)).toBe('paid');
  });

  it('is applied to the file before it grows large, and its loss is still noticed', async () => {
    const { dataDir } = await used({ STORE_KEY });
    const storage = await checkStores(parseConfig({ DATA_DIR: dataDir, STORE_KEY }), silent).open({
      clock,
      onError,
      applicationOf,
    });
    const notes = collectionIn<string>(storage, { kind: 'notes' });
    const log = join(dataDir, 'console.sqlite-wal');
    const noise = () => Array.from({ length: 20_000 }, () => Math.random().toString(36)).join('');
    let largest = 0;
    for (let index = 0; index < 40; index += 1) {
      await notes.put({ workspace: 'w', companyKey: 'c' }, `${index}`, noise());
      largest = Math.max(largest, statSync(log).size);
    }
    expect(largest).toBeLessThan(8_000_000);
    const left = temporaryFolder();
    copyFileSync(join(dataDir, 'console.sqlite'), join(left, 'console.sqlite'));
    expect(await start({ DATA_DIR: left, STORE_KEY })).toMatch(/its write-ahead log \S+ is missing/);
    await storage.close();
    const whole = temporaryFolder();
    copyFileSync(join(dataDir, 'console.sqlite'), join(whole, 'console.sqlite'));
    expect(await start({ DATA_DIR: whole, STORE_KEY })).toBeUndefined();
  });
});

describe.runIf(process.platform !== 'win32')('Files of a database', () => {
  const openToOthers = (folder: string): string[] =>
    readdirSync(folder).filter((name) => (statSync(join(folder, name)).mode & 0o077) !== 0);

  it('are readable by their owner only, also in an existing folder with files that were not (threat 2.28)', async () => {
    const dataDir = temporaryFolder();
    chmodSync(dataDir, 0o755);
    const umask = process.umask(0o000);
    try {
      const environment = { DATA_DIR: dataDir };
      expect(await start(environment)).toBeUndefined();
      await startSandbox(dataDir);
      expect(openToOthers(dataDir)).toEqual([]);
      for (const name of readdirSync(dataDir).filter((each) => each.includes('sqlite')))
        chmodSync(join(dataDir, name), 0o666);
      writeFileSync(join(dataDir, 'console.sqlite-shm'), '');
      const stores = checkStores(parseConfig(environment), silent);
      const storage = await stores.open({ clock, onError, applicationOf });
      expect(openToOthers(dataDir).filter((name) => name.startsWith('console'))).toEqual([]);
      const copies = temporaryFolder();
      await copyDatabase(join(dataDir, 'console.sqlite'), join(copies, 'console.sqlite'));
      expect(openToOthers(copies)).toEqual([]);
      await storage.close();
    } finally {
      process.umask(umask);
    }
  });

  it('are readable by their owner only behind a symbolic link (threat 2.28)', async () => {
    const [folder, elsewhere] = [temporaryFolder(), temporaryFolder()];
    symlinkSync(join(elsewhere, 'real.sqlite'), join(folder, 'console.sqlite'));
    const umask = process.umask(0o000);
    try {
      expect(await start({ DATA_DIR: folder })).toBeUndefined();
    } finally {
      process.umask(umask);
    }
    expect(readdirSync(elsewhere)).toContain('real.sqlite');
    expect(openToOthers(elsewhere)).toEqual([]);
  });
});

describe('A store in PostgreSQL', () => {
  it.each<[string, string]>([
    ['emptied', 'delete from index_key; delete from settings'],
    ['without its tables', 'drop schema public cascade; create schema public'],
  ])('that is %s is refused, and starts afresh only if that is accepted (threat 7.13)', async (_, lose) => {
    const STORE_URL = await temporaryDatabase();
    const { environment } = await used({ STORE_KEY, STORE_URL });
    await statement(STORE_URL, lose);
    for (let times = 0; times < 2; times += 1)
      expect(await start(environment)).toMatch(
        /^STORE_URL names the database \S+: it holds no store, although one was kept in it/,
      );
    expect(await start({ ...environment, ...accepted })).toBeUndefined();
    expect(await start(environment)).toBeUndefined();
  });

  it('needs no folder that can be written', async () => {
    const environment = { STORE_KEY, STORE_URL: await temporaryDatabase(), DATA_DIR: '/proc/nowhere' };
    const storage = await checkStores(parseConfig(environment), silent).open({ clock, onError, applicationOf });
    await storage.close();
  });

  it('to which a file was copied takes its place, and the file is refused from then on (threat 7.14)', async () => {
    const { dataDir, file, environment } = await used();
    const key = readFileSync(join(dataDir, 'store.key'), 'utf8').trim();
    const [STORE_URL, other] = [await temporaryDatabase(), await temporaryDatabase()];
    const options = { keys: [keyFrom(key)] as const, clock, onError };
    await copyStorage(file, STORE_URL, options);
    const { host, pathname } = new URL(STORE_URL);
    const isCopied = `it was copied to ${host}${pathname}, which has what was stored since: give that database as STORE_URL`;
    expect(await start(environment)).toContain(isCopied);
    expect(await stored({ ...environment, STORE_KEY: key, STORE_URL })).toEqual(isDone);
    await expect(copyStorage(file, other, options)).rejects.toThrow(isCopied);
    expect(await copyStorage(file, STORE_URL, options)).toBeUndefined();
    expect(await start(environment)).toContain(isCopied);
    expect(await start({ ...environment, ...accepted })).toBeUndefined();
    expect(await start(environment)).toBeUndefined();
  });

  it('that could not take a copy leaves the file as it was', async () => {
    const { dataDir, file, environment } = await used();
    const key = readFileSync(join(dataDir, 'store.key'), 'utf8').trim();
    const url = await temporaryDatabase();
    await statement(url, 'create table orders (id integer)');
    await expect(copyStorage(file, url, { keys: [keyFrom(key)], clock, onError })).rejects.toThrow('something else');
    expect(await start(environment)).toBeUndefined();
  });
});
