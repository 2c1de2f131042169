import { chmodSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { paymentForm } from '#rules/field.ts';
import { parseConfig } from '#server/config.ts';
import { startFailure } from '#server/process/startFailure.ts';
import { openStoreFile } from '#server/store/database.ts';
import { storeKeysOf } from '#server/store/keys.ts';
import { createSeal, keyIdOf } from '#server/store/seal.ts';
import { notificationsPath } from '#server/upstream/config.ts';
import { testConsole, testSandbox } from '#tests/support/console.ts';
import { batchIn, onboard, pay, subscribe } from '#tests/support/guided.ts';
import { aSession, bytesIn, temporaryFolder, testKey, testStore, testStores } from '#tests/support/store.ts';

const fileIn = (folder: string) => openStoreFile(`file:${join(folder, 'console.sqlite')}`);

/** Why a store cannot be opened, in the program's words. */
async function complaint(environment: Record<string, string>, open: () => unknown): Promise<string | undefined> {
  try {
    await open();
  } catch (error) {
    return startFailure(error, parseConfig(environment));
  }
  return undefined;
}

describe('a stored value', () => {
  it('reveals no key, token or bank detail in the file after a whole guided path', async () => {
    const folder = temporaryFolder();
    const upstreamUrl = async (url: string) => (await testSandbox({ webhookUrl: url + notificationsPath })).url;
    const server = await testConsole({ folder, upstreamUrl });
    await onboard(server);
    const { subscriptionId, rules } = await subscribe(server);
    const { fileFormatId, specification } = (await server.done('getFileFormats')).data[0]!;
    const batchId = await pay(server, subscriptionId, paymentForm(rules, specification.rules), fileFormatId);
    await batchIn(server, 'PaymentFileAvailable', batchId);
    const { companySigningKey, userJwt } = await server.store.settings.read();
    const parties = [...(await server.done('getDebtors')).data, ...(await server.done('getCreditors')).data];
    const details = parties.flatMap((party) =>
      Object.entries(party).flatMap(([name, value]) => (name.endsWith('Id') || value.length < 6 ? [] : [value])),
    );
    expect(details.length).toBeGreaterThan(3);
    const bytes = bytesIn(folder);
    expect(bytes).toContain(subscriptionId); // ids are no secret: the right file is looked at
    for (const secret of [companySigningKey!, userJwt!, ...details]) expect(bytes).not.toContain(secret);
  }, 60_000);

  it('cannot be changed, nor moved to another place', async () => {
    const folder = temporaryFolder();
    const store = await testStore(folder);
    await store.settings.writeAll({ companyId: 'company-1', accountId: 'account-1' });
    const intruder = fileIn(folder);
    intruder.exec(`update entries set value = (select value from entries where key = 'accountId')
      where key = 'companyId'`);
    await expect(store.settings.read()).rejects.toThrow('authenticate');
    intruder.exec(`update entries set value = '{"value":"mine"}' where key = 'companyId'`);
    await expect(store.settings.read()).rejects.toThrow('not sealed');
    intruder.close();
  });

  it('is decrypted by every later version under the same key, and under no other mark', () => {
    const seal = createSeal([testKey(1)]);
    const sealed = 'aes256gcm:02d25eca535dbe42:OYr6tv3tFsTTjTeB8VgCPvQvXBz9+mZUBirFDOQx9BP6gN4=';
    expect(seal.open(sealed, 'place')).toBe('Grüße');
    expect(() => seal.open(`x${sealed}`, 'place')).toThrow('not sealed');
  });

  it.each([
    ['a long one', JSON.stringify(Array.from({ length: 2000 }, (_, index) => `Grüße ${index}`))],
    ['one that begins like a compressed one', '\0 Grüße'],
    ['an empty one', ''],
  ])('is the same after it was compressed: %s', (_, text) => {
    const seal = createSeal([testKey(1)]);
    const sealed = seal.seal(text, 'place');
    expect(seal.open(sealed, 'place')).toBe(text);
    if (text.length > 10_000) expect(sealed.length).toBeLessThan(text.length / 2);
    expect(() => seal.open(sealed, 'elsewhere')).toThrow('authenticate');
  });

  it('that was never encrypted is not trusted, also after a restart', async () => {
    const folder = temporaryFolder();
    const sessionKey = (await testStores(folder)).sessions.keyOf('session');
    fileIn(folder).exec(`
      insert into entries (namespace, key, value) values
        ('default/settings', 'companySigningKey', 'json:{"value":"mine"}'),
        ('default/creditors', 'c', 'json:{"value":{"creditorId":"c"}}');
      insert into claims values ('default/write/key', 'print', '{"batchId":"mine"}', ${Date.now()});
      insert into sessions values ('${sessionKey}', '${JSON.stringify(aSession)}', ${Date.now()}, ${Date.now()})`);

    for (let starts = 0; starts < 2; starts += 1) {
      const stores = await testStores(folder);
      const { settings, creditors, claims, setAside } = stores.of('default');
      await expect(settings.read()).rejects.toThrow('companySigningKey cannot be read: it is not sealed');
      expect(await creditors.get('c')).toBeUndefined();
      expect(await setAside()).toMatchObject([{ kind: 'creditors', id: 'c' }]);
      expect(await claims.claim('write/key', 'print')).toEqual({ state: 'unreadable' });
      expect(await stores.sessions.use(sessionKey)).toBeUndefined();
      await stores.close();
    }
  });
});

describe('a new key', () => {
  const [old, fresh] = [testKey(1), testKey(2)];

  it('re-encrypts the data of the previous one, which is not needed afterwards', async () => {
    const folder = temporaryFolder();
    const before = await testStores(folder, [old]);
    const { settings, claims } = before.of('default');
    await settings.write('companyId', 'company-1');
    await claims.claim('key', 'print');
    await claims.finish('key', 'answer');
    const key = before.sessions.keyOf(await before.sessions.begin(aSession));
    await before.close();
    await (await testStores(folder, [fresh, old])).close();
    const after = await testStores(folder, [fresh]);
    expect(await after.of('default').settings.read()).toEqual({ companyId: 'company-1' });
    expect(await after.of('default').claims.claim('key', 'print')).toEqual({ state: 'done', answer: 'answer' });
    expect(await after.sessions.use(key)).toEqual(aSession);
    expect(bytesIn(folder)).not.toContain(keyIdOf(old));
  });

  it('leaves tampered values unreadable, also without the previous one', async () => {
    const folder = temporaryFolder();
    const before = await testStores(folder, [old]);
    const { settings, attempts, creditors, claims } = before.of('default');
    await settings.write('companyId', 'company-1');
    await attempts.put('attempt', {} as never); // not read
    await creditors.put('creditor', {} as never); // not read
    await claims.claim('key', 'print');
    const key = before.sessions.keyOf(await before.sessions.begin(aSession));
    await before.close();
    const file = fileIn(folder);
    file.exec(`update entries set value = substr(value, 1, 40) || 'AAAA';
      update claims set fingerprint = substr(fingerprint, 1, 40) || 'AAAA';
      update sessions set value = substr(value, 1, 40) || 'AAAA'`);
    file.close();
    await (await testStores(folder, [fresh, old])).close();

    const after = await testStores(folder, [fresh]);
    const store = after.of('default');
    await expect(store.settings.read()).rejects.toThrow('cannot be read');
    await expect(store.attempts.list()).rejects.toThrow('cannot be read');
    expect(await store.creditors.list()).toEqual([]);
    expect(await store.setAside()).toMatchObject([{ kind: 'creditors', id: 'creditor' }]);
    expect(await store.claims.claim('key', 'print')).toEqual({ state: 'unreadable' });
    expect(await after.sessions.use(key)).toBeUndefined();
  });

  it('without the previous one prevents the start, and changes nothing', async () => {
    const folder = temporaryFolder();
    const before = await testStore(folder, 'default', [old]);
    await before.settings.write('companyId', 'company-1');
    await before.close();
    const open = () => testStore(folder, 'default', [fresh]);
    expect(await complaint({ STORE_KEY: fresh.export().toString('base64') }, open)).toBe(
      `STORE_KEY is not the key that the data were encrypted with: give the one with the fingerprint ${keyIdOf(old)} as STORE_KEY, or as STORE_KEY_PREVIOUS beside a new one.`,
    );
    expect(await complaint({ DATA_DIR: folder }, open)).toBe(
      `DATA_DIR is "${folder}": its store.key is not the key that the data were encrypted with: give the one with the fingerprint ${keyIdOf(old)} there, or below a new one.`,
    );
    expect(await (await testStore(folder, 'default', [old])).settings.read()).toEqual({ companyId: 'company-1' });
  });
});

describe('the key file', () => {
  const keysIn = (dataDir: string) => storeKeysOf({ storeUrl: '', storeKeys: [], dataDir });

  it('is created on the first start for its owner alone, and used from then on', () => {
    const folder = join(temporaryFolder(), 'data');
    const [made] = keysIn(folder);
    expect(statSync(join(folder, 'store.key')).mode & 0o777).toBe(0o600);
    expect(keysIn(folder).map(keyIdOf)).toEqual([keyIdOf(made)]);
    expect(keysIn(join(folder, 'other')).map(keyIdOf)).not.toEqual([keyIdOf(made)]);
  });

  it('is not created if the environment gives a key', () => {
    const folder = temporaryFolder();
    const keys = storeKeysOf({ storeUrl: '', storeKeys: [testKey(1), testKey(2)], dataDir: folder });
    expect(keys.map(keyIdOf)).toEqual([keyIdOf(testKey(1)), keyIdOf(testKey(2))]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('holds the current key first, then older ones', () => {
    const folder = temporaryFolder();
    const [old] = keysIn(folder);
    const file = join(folder, 'store.key');
    writeFileSync(file, `  ${testKey(3).export().toString('base64')}\r\n\n${readFileSync(file, 'utf8')}`);
    expect(keysIn(folder).map(keyIdOf)).toEqual([keyIdOf(testKey(3)), keyIdOf(old)]);
  });

  it('is refused if others could read it, or if it holds anything else', async () => {
    const folder = temporaryFolder();
    keysIn(folder);
    const file = join(folder, 'store.key');
    chmodSync(file, 0o640);
    expect(await complaint({}, () => keysIn(folder))).toBe(
      `${file} can be read by other users: run chmod 600 ${file}.`,
    );
    chmodSync(file, 0o600);
    const key = testKey(1).export().toString('base64');
    for (const text of ['', 'a password\n', `x${key}\n`, `${key}x\n`, `${key}\na password\n`]) {
      writeFileSync(file, text);
      expect(await complaint({}, () => keysIn(folder))).toBe(
        `${file} holds no key: put 32 bytes in Base64 there, one key to a line.`,
      );
    }
  });
});
