import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#server/clock.ts';
import { parseConfig } from '#server/config.ts';
import { openDatabase } from '#server/sqlite/sqlite.ts';
import { startFailure } from '#server/process/startFailure.ts';
import { StoreKeyError, storeKeysOf } from '#server/store/keys.ts';
import { PostgresError } from '#server/store/postgres/connections.ts';
import { refusal as refused } from '#server/store/postgres/migrate.ts';
import { keyIdOf } from '#server/store/seal.ts';
import { openStores } from '#server/store/store.ts';
import { freePort } from '#tests/support/consoleProcess.ts';
import { statement, temporaryDatabase } from '#tests/support/postgres.ts';
import { temporaryFolder, testKey } from '#tests/support/store.ts';

const run = promisify(execFile);
type Ended = Record<'stdout' | 'stderr', string> & { code: number };

/** The sentence printed if the console's file cannot be opened. */
function complaint(environment: Record<string, string>, tables = ''): string | undefined {
  const config = parseConfig(environment);
  try {
    openDatabase(config.storeUrl.slice('file:'.length), tables);
  } catch (error) {
    return startFailure(error, config);
  }
  return undefined;
}

describe('what prevents the start', () => {
  it('is a file that is not a database', () => {
    const folder = temporaryFolder();
    const file = join(folder, 'console.sqlite');
    writeFileSync(file, 'shopping list: '.repeat(100));
    expect(complaint({ DATA_DIR: folder })).toBe(
      `DATA_DIR is "${folder}": ${file} is not an SQLite database, move it away or give another folder.`,
    );
    expect(complaint({ STORE_URL: `file:${file}` })).toBe(
      `STORE_URL is "file:${file}": ${file} is not an SQLite database, move it away or give another file.`,
    );
  });

  it('is a file where a folder should be, or the other way round', () => {
    const folder = temporaryFolder();
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(complaint({ DATA_DIR: file })).toBe(
      `DATA_DIR is "${file}": ${file}/console.sqlite cannot be opened (EEXIST), give a folder that this user may write.`,
    );
    expect(complaint({ STORE_URL: `file:${folder}` })).toMatch(
      /^STORE_URL is .* cannot be opened \(.*\), give a file /,
    );
  });

  it.runIf(process.platform === 'linux')('is a folder that the system does not let be', () => {
    expect(complaint({ DATA_DIR: '/proc/some/folder' })).toBe(
      'DATA_DIR is "/proc/some/folder": /proc/some/folder/console.sqlite cannot be opened (ENOENT), give a folder that this user may write.',
    );
    expect(() => storeKeysOf(parseConfig({ DATA_DIR: '/proc/some/folder' }))).toThrow(
      'DATA_DIR is "/proc/some/folder": /proc/some/folder/store.key cannot be kept there (ENOENT), give a folder that this user may write.',
    );
  });

  it.runIf(process.platform === 'linux')('is a folder on a full disk', () => {
    const folder = temporaryFolder();
    symlinkSync('/dev/full', join(folder, 'store.key.new'));
    expect(() => storeKeysOf(parseConfig({ DATA_DIR: folder }))).toThrow(
      `DATA_DIR is "${folder}": its disk is full, make room there or give another folder.`,
    );
  });

  it('is a file of something else, which is left as it is', () => {
    const folder = temporaryFolder();
    const file = join(folder, 'console.sqlite');
    const other = openDatabase(file, 'create table if not exists orders (id integer);');
    other.close();
    const tables = 'create table if not exists entries (id integer);';
    expect(complaint({ DATA_DIR: folder }, tables)).toBe(
      `DATA_DIR is "${folder}": ${file} holds tables of something else, move it away or give another folder.`,
    );
    const again = openDatabase(file, '');
    expect(again.prepare("select name from sqlite_master where name = 'entries'").all()).toEqual([]);
    again.close();
  });

  it('is a folder in which no key can be kept', () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const config = parseConfig({ DATA_DIR: file });
    // The code is another one on Node 24.
    expect(() => storeKeysOf(config)).toThrow(
      /^DATA_DIR is "(.+)": \1\/store\.key cannot be kept there \(E\w+\), give a folder that this user may write\.$/,
    );
    expect(startFailure(new StoreKeyError('why'), config)).toBe('why');
    expect(startFailure(Object.assign(new Error(), { code: 'EACCES', syscall: 'open' }), config)).toBeUndefined();
  });

  it('is an address that this machine does not have', async () => {
    // 192.0.2.0/24 is reserved for documentation (RFC 5737).
    const [error] = (await once(
      createServer().listen(0, '192.0.2.1').on('listening', expect.unreachable),
      'error',
    )) as unknown[];
    expect(startFailure(error, { ...parseConfig({}), host: '192.0.2.1' })).toBe(
      'HOST is "192.0.2.1": this machine has no such address, give 127.0.0.1 or 0.0.0.0 for all of its addresses.',
    );
  });

  it('is the address for metrics, or its port', () => {
    const config = parseConfig({ METRICS_HOST: '192.0.2.1', METRICS_PORT: '9464' });
    const error = (code: string) => Object.assign(new Error(), { code, address: '192.0.2.1', port: 9464 });
    expect(startFailure(error('EADDRNOTAVAIL'), config)).toMatch(
      /^METRICS_HOST is "192.0.2.1": this machine has no such/,
    );
    expect(startFailure(error('EADDRINUSE'), config)).toMatch(/^METRICS_PORT is 9464: this port is in use/);
  });

  it('is a port that needs more rights', () => {
    const error = Object.assign(new Error(), { code: 'EACCES', port: 80 });
    expect(startFailure(error, parseConfig({ PORT: '80' }))).toBe(
      'PORT is 80: this user may not listen there, give a port from 1024 on or 0 for any free one.',
    );
  });

  it('is not explained if it is unexpected', () => {
    expect(startFailure(new TypeError('x is not a function'), parseConfig({}))).toBeUndefined();
  });
});

describe('what prevents the start on a database', () => {
  const key = testKey(1).export().toString('base64');

  /** The sentence printed if the store in the database cannot be opened with this environment. */
  async function refusal(environment: Record<string, string>): Promise<string | undefined> {
    const config = parseConfig({ STORE_KEY: key, ...environment });
    try {
      const keys = storeKeysOf(config);
      const stores = await openStores({ url: config.storeUrl, keys, clock: systemClock, onError: () => undefined });
      onTestFinished(() => stores.close());
    } catch (error) {
      return startFailure(error, config);
    }
    return undefined;
  }
  /** A database's URL with some parts replaced, and what it is called in sentences. */
  function changed(url: string, parts: Partial<Pick<URL, 'password' | 'pathname' | 'port' | 'hostname'>>) {
    const other = Object.assign(new URL(url), parts);
    return { STORE_URL: other.href, shown: `STORE_URL names the database ${other.host}${other.pathname}` };
  }

  it('is a key that is missing, because a file belongs to one machine', async () => {
    expect(await refusal({ STORE_URL: await temporaryDatabase(), STORE_KEY: '' })).toMatch(
      /^STORE_KEY is missing: give all servers of the database the same 32 bytes in Base64/,
    );
  });

  it('is a password, a database or a port that is wrong, and the password is not told', async () => {
    const url = await temporaryDatabase();
    const cases = [
      // A server that trusts this machine asks for none.
      [{ password: 'not-the-password' }, 'it refuses the password, give the right one.'],
      [{ pathname: '/nowhere' }, 'there is no such database, create it or give another one.'],
      [{ port: String(await freePort()) }, 'nobody listens there, start the database or give another one.'],
      [{ hostname: 'database.invalid' }, 'there is no such host, give another one.'],
    ] as const;
    for (const [parts, why] of cases) {
      const { STORE_URL, shown } = changed(url, parts);
      expect(await refusal({ STORE_URL })).toBe(`${shown}: ${why}`);
    }
  });

  it('is a schema of a later version, or tables of something else', async () => {
    const url = await temporaryDatabase();
    const { shown } = changed(url, {});
    expect(await refusal({ STORE_URL: url })).toBeUndefined();
    await statement(url, 'update schema_version set version = 99');
    expect(await refusal({ STORE_URL: url })).toMatch(
      `${shown}: it was made by a later version of the console (schema 99, this one knows `,
    );
    const other = await temporaryDatabase();
    await statement(other, 'create table orders (id integer)');
    expect(await refusal({ STORE_URL: other })).toBe(
      `${changed(other, {}).shown}: it holds tables of something else (orders), give an empty database.`,
    );
    expect(await statement(other, "select to_regclass('entries') as entries")).toEqual([{ entries: null }]);
  });

  it('is a key that is in use and not given, or one that another server does not know', async () => {
    const STORE_URL = await temporaryDatabase();
    expect(await refusal({ STORE_URL })).toBeUndefined();
    const newKey = testKey(2).export().toString('base64');
    expect(await refusal({ STORE_URL, STORE_KEY: newKey })).toBe(
      `STORE_KEY is not the key that the data were encrypted with: give the one with the fingerprint ${keyIdOf(testKey(1))} as STORE_KEY, or as STORE_KEY_PREVIOUS beside a new one.`,
    );
    expect(await refusal({ STORE_URL, STORE_KEY: newKey, STORE_KEY_PREVIOUS: key })).toBe(
      `${changed(STORE_URL, {}).shown}: a server that runs on it was not given STORE_KEY, start it anew with this key as STORE_KEY_PREVIOUS first.`,
    );
  });

  it('is a program that makes its tables for long', async () => {
    const STORE_URL = await temporaryDatabase();
    expect(
      startFailure(refused(STORE_URL, new PostgresError({ code: '55P03', message: 'timeout' })), parseConfig({})),
    ).toBe(
      `${changed(STORE_URL, {}).shown}: another program is making its tables or copying a store into it, wait until that is done.`,
    );
  });

  it('is told by the program in one line, which has no password, nor has the log', async () => {
    const { STORE_URL } = changed(await temporaryDatabase(), { password: 'not-the-password' });
    const command = run(process.execPath, ['scripts/start.mjs'], {
      env: {
        ...process.env,
        HOST: '',
        PORT: '0',
        UPSTREAM: '',
        DATA_DIR: temporaryFolder(),
        STORE_URL,
        STORE_KEY: key,
        LOG_LEVEL: 'trace',
      },
    });
    const { code, stdout, stderr } = await command.then(
      () => expect.unreachable(),
      (error: unknown) => error as Ended,
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^STORE_URL names the database .*: it refuses the password, give the right one\.$/m);
    expect(stderr).not.toContain('not-the-password');
  }, 60_000);
});
