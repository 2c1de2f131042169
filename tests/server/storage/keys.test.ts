import { chmodSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keyIdOf } from '#server/storage/encryption.ts';
import { secretIn, StoreKeyError, storeKeysOf } from '#server/storage/keys.ts';
import { temporaryFolder, testKey } from '#tests/support/store.ts';

describe('The key file', () => {
  const keysIn = (dataDir: string) => {
    const { keys, keep } = storeKeysOf({ storeUrl: '', storeKeys: [], dataDir });
    keep();
    return keys;
  };

  it('is created with mode 0600 on the first start, and used from then on (threat 2.16)', () => {
    const folder = join(temporaryFolder(), 'data');
    const [made] = keysIn(folder);
    expect(statSync(join(folder, 'store.key')).mode & 0o777).toBe(0o600);
    expect(keysIn(folder).map(keyIdOf)).toEqual([keyIdOf(made)]);
    expect(keysIn(join(folder, 'other')).map(keyIdOf)).not.toEqual([keyIdOf(made)]);
  });

  it('is not created if the environment gives a key', () => {
    const folder = temporaryFolder();
    const { keys } = storeKeysOf({ storeUrl: '', storeKeys: [testKey(1), testKey(2)], dataDir: folder });
    expect(keys.map(keyIdOf)).toEqual([keyIdOf(testKey(1)), keyIdOf(testKey(2))]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('holds the current key first, then older keys', () => {
    const folder = temporaryFolder();
    const [old] = keysIn(folder);
    const file = join(folder, 'store.key');
    writeFileSync(file, `  ${testKey(3).export().toString('base64')}\r\n\n${readFileSync(file, 'utf8')}`);
    expect(keysIn(folder).map(keyIdOf)).toEqual([keyIdOf(testKey(3)), keyIdOf(old)]);
  });

  it('is refused if other users can read it, or if it holds anything but keys (threat 2.16)', () => {
    const folder = temporaryFolder();
    keysIn(folder);
    const file = join(folder, 'store.key');
    chmodSync(file, 0o640);
    expect(() => keysIn(folder)).toThrow(`${file} can be read by other users: run chmod 600 ${file}.`);
    chmodSync(file, 0o600);
    const key = testKey(1).export().toString('base64');
    for (const text of ['', 'a password\n', `x${key}\n`, `${key}x\n`, `${key}\na password\n`]) {
      writeFileSync(file, text);
      expect(() => keysIn(folder)).toThrow(`${file} holds no key: put 32 bytes in Base64 there, one key to a line.`);
    }
  });

  it('is refused for PostgreSQL, whose servers need the same key', () => {
    const missing = () => storeKeysOf({ storeUrl: 'postgres://db/console', storeKeys: [], dataDir: temporaryFolder() });
    expect(missing).toThrow(StoreKeyError);
    expect(missing).toThrow('STORE_KEY is missing: give all servers of the database the same 32 bytes in Base64');
  });

  it('that cannot be created is reported with its folder', () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    expect(() => secretIn(join(file, 'store.key'))).toThrow(/cannot be kept there \(E\w+\), give a folder that/);
  });
});
