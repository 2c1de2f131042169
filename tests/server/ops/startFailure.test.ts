import { once } from 'node:events';
import { symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#server/clock.ts';
import { parseConfig } from '#server/config/config.ts';
import { startFailure } from '#server/ops/startFailure.ts';
import { openSandboxStore } from '#server/sandbox/store/sandboxStore.ts';
import { keyIdOf } from '#server/storage/encryption.ts';
import { StoreKeyError, storeKeysOf } from '#server/storage/keys.ts';
import { openStorage } from '#server/storage/open.ts';
import { silent } from '#tests/support/console.ts';
import { temporaryDatabase } from '#tests/support/postgres.ts';
import { startCommand } from '#tests/support/startCommand.ts';
import { testDatabase, testStorage } from '#tests/support/storage.ts';
import { spoil, temporaryFolder, testKey } from '#tests/support/store.ts';

const key = testKey(1).export().toString('base64');
const newKey = testKey(2).export().toString('base64');

/** The sentence that is printed if the console's storage cannot be opened with this environment. */
async function refusal(environment: Record<string, string>): Promise<string | undefined> {
  const config = parseConfig({ STORE_KEY: key, ...environment });
  try {
    const { keys } = storeKeysOf(config);
    const storage = await openStorage({ url: config.storeUrl, keys, clock: systemClock, onError: () => undefined });
    onTestFinished(() => storage.close());
  } catch (error) {
    return startFailure(error, config);
  }
  return undefined;
}

describe('The sentence about a failed start', () => {
  it('names a file that is not a database', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'console.sqlite');
    writeFileSync(file, 'shopping list: '.repeat(100));
    const why = 'it is not an SQLite database, move it away or give another file.';
    expect(await refusal({ DATA_DIR: folder })).toBe(`DATA_DIR names the file ${file}: ${why}`);
    expect(await refusal({ STORE_URL: `file:${file}` })).toBe(`STORE_URL names the file ${file}: ${why}`);
  });

  it.each([
    ['from its beginning', 0, 'it is not an SQLite database, move it away or give another file.'],
    ['further inside', 4096, 'it is damaged, restore it, or move it away to begin anew.'],
    ['where no start reads it', -4096, 'it is damaged, restore it, or move it away to begin anew.'],
  ])('names a damaged file instead of starting with empty settings: %s (threat 7.10)', async (_, from, why) => {
    const folder = temporaryFolder();
    const file = join(folder, 'console.sqlite');
    const storage = await testStorage(`file:${file}`);
    await storage.settings.of<string>('w').set('providerId', 'x'.repeat(100));
    await storage.close();
    const database = await testDatabase(`file:${file}`);
    database.vacuum(); // writes everything into the file itself
    await database.close();
    spoil(file, from);
    expect(await refusal({ DATA_DIR: folder })).toBe(`DATA_DIR names the file ${file}: ${why}`);
  });

  it.runIf(process.platform === 'linux')('names a folder on a full disk', () => {
    const folder = temporaryFolder();
    symlinkSync('/dev/full', join(folder, 'store.key.new'));
    expect(() => storeKeysOf(parseConfig({ DATA_DIR: folder }))).toThrow(
      `DATA_DIR is "${folder}": its disk is full, make room there or give another folder.`,
    );
  });

  it('names the file of an embedded sandbox', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'sandbox.sqlite');
    writeFileSync(file, 'shopping list: '.repeat(100));
    // The console's own file is elsewhere.
    const config = parseConfig({ DATA_DIR: folder, STORE_URL: 'postgres://db/console', STORE_KEY: key });
    const error = await openSandboxStore(`file:${file}`, { clock: systemClock, log: silent }).catch(
      (thrown: unknown) => thrown,
    );
    expect(startFailure(error, config)).toBe(
      `DATA_DIR names the file ${file}: it is not an SQLite database, move it away or give another file.`,
    );
  });

  it('asks for the key of the data, which stay unchanged under another key (threat 2.19)', async () => {
    const folder = temporaryFolder();
    const STORE_URL = `file:${join(folder, 'console.sqlite')}`;
    const keys = [testKey(1)] as const;
    const before = await testStorage(STORE_URL, { keys });
    const at = { workspace: 'w', companyKey: '' };
    await before.settings.of<string>(at.workspace).set('companyId', 'company-1');
    await before.close();
    expect(await refusal({ DATA_DIR: folder, STORE_KEY: newKey })).toBe(
      `STORE_KEY is not the key that the data were encrypted with: give the one with the fingerprint ${keyIdOf(testKey(1))} as STORE_KEY, or as STORE_KEY_PREVIOUS beside a new one.`,
    );
    expect(await refusal({ DATA_DIR: folder, STORE_KEY: '' })).toBe(
      `DATA_DIR is "${folder}": its store.key is not the key that the data were encrypted with: give the one with the fingerprint ${keyIdOf(testKey(1))} there, or below a new one.`,
    );
    expect(await (await testStorage(STORE_URL, { keys })).settings.of(at.workspace).get('companyId')).toBe('company-1');
  });

  it('names a folder in which the key file cannot be created', () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const config = parseConfig({ DATA_DIR: file });
    // The error code differs between Node.js versions.
    expect(() => storeKeysOf(config)).toThrow(
      /^DATA_DIR is "(.+)": \1\/store\.key cannot be kept there \(E\w+\), give a folder that this user may write\.$/,
    );
    expect(startFailure(new StoreKeyError('why'), config)).toBe('why');
    expect(startFailure(Object.assign(new Error(), { code: 'EACCES', syscall: 'open' }), config)).toBeUndefined();
  });

  it('names an address that this machine does not have', async () => {
    // 192.0.2.0/24 is reserved for documentation (RFC 5737).
    const [error] = (await once(
      createServer().listen(0, '192.0.2.1').on('listening', expect.unreachable),
      'error',
    )) as unknown[];
    expect(startFailure(error, { ...parseConfig({}), host: '192.0.2.1' })).toBe(
      'HOST is "192.0.2.1": this machine has no such address, give 127.0.0.1 or 0.0.0.0 for all of its addresses.',
    );
  });

  it('names METRICS_HOST or METRICS_PORT if the error is about that address', () => {
    const config = parseConfig({ METRICS_HOST: '192.0.2.1', METRICS_PORT: '9464' });
    const error = (code: string) => Object.assign(new Error(), { code, address: '192.0.2.1', port: 9464 });
    expect(startFailure(error('EADDRNOTAVAIL'), config)).toMatch(
      /^METRICS_HOST is "192.0.2.1": this machine has no such/,
    );
    expect(startFailure(error('EADDRINUSE'), config)).toMatch(/^METRICS_PORT is 9464: this port is in use/);
  });

  it('names a port that needs more rights', () => {
    const error = Object.assign(new Error(), { code: 'EACCES', port: 80 });
    expect(startFailure(error, parseConfig({ PORT: '80' }))).toBe(
      'PORT is 80: this user may not listen there, give a port from 1024 on or 0 for any free one.',
    );
  });

  it('is omitted for an unexpected error', () => {
    expect(startFailure(new TypeError('x is not a function'), parseConfig({}))).toBeUndefined();
  });
});

describe('The sentence about a failed start on a database', () => {
  /** A database's URL with some parts replaced, and what it is called in sentences. */
  function changed(url: string, parts: Partial<Pick<URL, 'password' | 'pathname' | 'port' | 'hostname'>>) {
    const other = Object.assign(new URL(url), parts);
    return { STORE_URL: other.href, shown: `STORE_URL names the database ${other.host}${other.pathname}` };
  }

  it('asks for STORE_KEY, which is required with a database', async () => {
    expect(await refusal({ STORE_URL: await temporaryDatabase(), STORE_KEY: '' })).toMatch(
      /^STORE_KEY is missing: give all servers of the database the same 32 bytes in Base64/,
    );
  });

  it('names the database, and a server that was not given a new key', async () => {
    const STORE_URL = await temporaryDatabase();
    expect(await refusal({ STORE_URL })).toBeUndefined();
    expect(await refusal({ STORE_URL, STORE_KEY: newKey, STORE_KEY_PREVIOUS: key })).toBe(
      `${changed(STORE_URL, {}).shown}: a server that runs on it was not given STORE_KEY, start it anew with this key as STORE_KEY_PREVIOUS first.`,
    );
  });

  it('is printed by the process, whose output and log contain no password', async () => {
    const { STORE_URL } = changed(await temporaryDatabase(), { password: 'not-the-password' });
    const given = { PORT: '0', DATA_DIR: temporaryFolder(), STORE_URL, STORE_KEY: key, LOG_LEVEL: 'trace' };
    const { code, printed } = await startCommand([], given);
    expect(code).toBe(1);
    expect(printed).toMatch(/^STORE_URL names the database .*: it refuses the password, give the right one\.$/m);
    expect(printed).not.toContain('not-the-password');
  }, 60_000);
});
