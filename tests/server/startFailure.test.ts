import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '#server/config.ts';
import { openDatabase } from '#server/sqlite.ts';
import { startFailure } from '#server/startFailure.ts';
import { StoreKeyError, storeKeysOf } from '#server/store/keys.ts';
import { temporaryFolder } from '#tests/support/store.ts';

/** The sentence printed if the console's file cannot be opened. */
function complaint(environment: Record<string, string>): string | undefined {
  const config = parseConfig(environment);
  try {
    openDatabase(config.storeUrl.slice('file:'.length), '');
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
