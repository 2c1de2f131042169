import { describe, expect, it } from 'vitest';
import { parseConfig } from '#server/config/config.ts';
import { systemClock } from '#server/clock.ts';
import { startFailure } from '#server/ops/startFailure.ts';
import { keyIdOf } from '#server/storage/encryption.ts';
import type { StoreKeys } from '#server/storage/keys.ts';
import { rotateKey } from '#server/storage/open.ts';
import type { Storage } from '#server/storage/open.ts';
import type { Write } from '#server/storage/writes.ts';
import { encryptedColumns } from '#server/storage/schema.ts';
import { eventually } from '#tests/support/eventually.ts';
import { statement, temporaryDatabase } from '#tests/support/postgres.ts';
import { startCommand } from '#tests/support/startCommand.ts';
import { collectionIn, here, testStorage } from '#tests/support/storage.ts';
import { testKey } from '#tests/support/store.ts';

const [older, newer] = [testKey(1), testKey(2)];
const change = (url: string, keys: StoreKeys = [newer, older]) =>
  rotateKey({ url, keys, clock: systemClock, onError: () => undefined });

/** A server of the database, and the errors that it reports, for example of quarantined records. */
async function aServer(url: string, keys: StoreKeys) {
  const errors: unknown[] = [];
  const storage = await testStorage(url, { keys, errors });
  return { storage, notes: notesIn(storage), settings: storage.settings.of<string>(here.workspace), errors };
}

/** Notes are found by their first word. */
const notesIn = (storage: Storage) =>
  collectionIn<string>(storage, { kind: 'notes', columns: { subject: (note) => note.split(' ')[0] } });

/** Claims a key. */
async function write(storage: Storage, key: string): Promise<Write> {
  const claim = { ...here, key, call: 'createBatch', fingerprint: 'print', serviceKey: key, serviceTime: undefined };
  return (await storage.writes.claim({ ...claim, body: { of: key } }))!; // it is new
}

const invoice = { reference: 'invoice', note: '', sum: 'sum', payee_ids: '', ibans: '', numbers: '', name: 'name' };

/** The number of values in the database that are encrypted under a key. */
async function valuesUnder(url: string, key: typeof older): Promise<number> {
  const counts = encryptedColumns.map(
    ({ table, column }) => `(select count(*) from ${table} where starts_with(${column}, 'aes256gcm:${keyIdOf(key)}:'))`,
  );
  const [found] = await statement(url, `select (${counts.join(' + ')})::integer as count`);
  return Number(found!['count']); // one row
}

/** The sentence with which a server with these keys does not start. */
async function complaint(url: string, keys: StoreKeys): Promise<string | undefined> {
  const base64 = keys[0].export().toString('base64');
  try {
    await (await testStorage(url, { keys })).close();
  } catch (error) {
    return startFailure(error, parseConfig({ STORE_URL: url, STORE_KEY: base64 }));
  }
  return undefined;
}

describe('Key rotation while servers run', () => {
  it('loses and quarantines no records, and ends with the old key being refused', async () => {
    const url = await temporaryDatabase();
    const before = await aServer(url, [older]);
    await before.settings.set('companyId', 'company');
    const ids = Array.from({ length: 1000 }, (_, index) => `c${index}`);
    await before.notes.putAll(
      here,
      ids.map((id, index) => [id, index % 2 ? 'odd' : 'even']),
    );
    const [done] = [await write(before.storage, 'done'), await write(before.storage, 'open')];
    await before.storage.invoiceLines.add(done.position, [invoice]);
    await before.storage.writes.end(done, { answer: { batchId: 'b' } });
    await before.storage.sessions<string>().begin('session', { value: 'user', startedAt: 1, usedAt: 1 });
    await before.storage.close();

    // Servers first get the new key for decryption, one after the other, and then for encryption.
    const servers = [await aServer(url, [older, newer]), await aServer(url, [older, newer])];
    let goesOn = true;
    const written = servers.map(() => 0);
    const writing = [0, 1].map(async (index) => {
      for (let number = 0; goesOn; number += 1) {
        const { storage, notes, settings } = servers[index]!; // replaced below
        await notes.put(here, `s${index}-${number}`, 'odd');
        await notes.change(here, `c${number % 1000}`, (note) => `${note} ${index}-${number}`);
        await storage.transaction('w', async () => {
          const n = await settings.get('n');
          await settings.set('n', String(Number(n ?? 0) + 1));
        });
        const row = await write(storage, `s${index}-${number}`);
        expect(await storage.writes.end(row, { answer: number })).toBe(true);
        expect(await settings.get('companyId')).toBe('company');
        expect(await notes.count(here, { subject: 'even' })).toBe(500);
        written[index] = number + 1;
      }
    });
    const goOn = () => {
      const sofar = [...written];
      return eventually(() => sofar.forEach((number, index) => expect(written[index]).toBeGreaterThan(number)));
    };
    const replaced = [];
    for (const index of [0, 1]) {
      await goOn();
      replaced.push(servers[index]!); // one of two
      servers[index] = await aServer(url, [newer, older]);
    }
    await goOn();
    for (const each of replaced) {
      expect(each.errors).toEqual([]);
      await each.storage.close();
    }
    const changing = change(url);
    await goOn();
    await changing;
    await goOn();
    goesOn = false;
    await Promise.all(writing);
    expect(await valuesUnder(url, older)).toBe(0);
    const total = written.reduce((sum, each) => sum + each, 0);
    for (const each of servers) {
      expect(each.errors).toEqual([]);
      await each.storage.close();
    }

    const after = await aServer(url, [newer]);
    expect(await after.settings.get('companyId')).toBe('company');
    expect(await after.settings.get('n')).toBe(String(total));
    const [even, odd] = [{ subject: 'even' }, { subject: 'odd' }];
    expect([await after.notes.count(here, even), await after.notes.count(here, odd)]).toEqual([500, 500 + total]);
    const kept: string[] = [];
    for (let at: number | undefined; ;) {
      const { entries, next } = await after.notes.page(here, { limit: 500, ...(at !== undefined && { after: at }) });
      kept.push(...entries.map(({ id }) => id));
      if (next === undefined) break;
      at = next;
    }
    expect(kept.slice(0, 1000)).toEqual(ids);
    expect(kept).toHaveLength(1000 + total);
    const { writes, invoiceLines } = after.storage;
    for (const [key, answer] of [
      ['done', { batchId: 'b' }],
      ['s0-0', 0],
    ] as const) {
      const row = await writes.find(here, key);
      expect([await writes.bodyOf(row!), await writes.doneOf(row!)]).toEqual([{ of: key }, { answer }]);
    }
    const open = await writes.find(here, 'open');
    expect(open).toMatchObject({ state: 'claimed' });
    expect(await writes.bodyOf(open!)).toEqual({ of: 'open' });
    expect(await invoiceLines.like([invoice])).toMatchObject([{ key: 'done' }]);
    const since = { usedAt: 0, startedAt: 0 };
    expect(await after.storage.sessions().find('session', since)).toMatchObject({ value: 'user' });
    expect([after.errors, await after.storage.quarantine.count()]).toEqual([[], 0]);
    await after.storage.close();
    expect(await complaint(url, [older])).toBe(
      `STORE_KEY is not the key that the data were encrypted with: give the one with the fingerprint ${keyIdOf(newer)} as STORE_KEY, or as STORE_KEY_PREVIOUS beside a new one.`,
    );
  }, 60_000);

  it('is refused until every server encrypts under the new key, and without the previous key', async () => {
    const url = await temporaryDatabase();
    const alone = await aServer(url, [older]);
    await alone.settings.set('n', '1');
    await expect(change(url)).rejects.toThrow(
      'a server that runs on it was not given STORE_KEY, start it anew with this key as STORE_KEY_PREVIOUS first',
    );
    expect(await valuesUnder(url, newer)).toBe(0);
    await alone.storage.close();
    const both = await aServer(url, [older, newer]);
    await expect(change(url)).rejects.toThrow(
      'a server that runs on it still encrypts under another key, start it anew with this STORE_KEY and the one before as STORE_KEY_PREVIOUS first',
    );
    await both.settings.set('n', '2');
    await both.storage.close();
    await expect(change(url, [newer])).rejects.toThrow(`encrypted under the key ${keyIdOf(older)}, which is not given`);
    await change(url);
    await change(url, [newer]);
    expect(await (await aServer(url, [newer])).settings.get('n')).toBe('2');
  });

  it('is a command that prints its result, and refuses a file or a database in use', async () => {
    const url = await temporaryDatabase();
    const server = await aServer(url, [older]);
    await server.settings.set('n', '1');
    await server.storage.close();
    const [STORE_KEY, STORE_KEY_PREVIOUS] = [newer, older].map((key) => key.export().toString('base64'));
    const command = (STORE_URL: string, ...args: string[]) =>
      startCommand(['change-key', ...args], {
        STORE_KEY: STORE_KEY!,
        STORE_KEY_PREVIOUS: STORE_KEY_PREVIOUS!,
        STORE_URL,
      });
    const says = (code: number, words: string | RegExp) => ({ code, printed: expect.stringMatching(words) as string });
    expect(await command(url, '--help')).toEqual(says(2, /^Usage: npm run change-key\n/));
    expect(await command(url)).toEqual({
      code: 0,
      printed:
        'Nothing in the database needs another key than STORE_KEY: remove STORE_KEY_PREVIOUS from the servers, one after the other.\n',
    });
    expect(await valuesUnder(url, older)).toBe(0);
    expect(await command('file:console.sqlite')).toEqual(says(1, /STORE_URL names no PostgreSQL database: the key of/));
    const running = await aServer(url, [older, newer]);
    const { host, pathname } = new URL(url);
    expect(await command(url)).toEqual({
      code: 1,
      printed: `STORE_URL names the database ${host}${pathname}: a server that runs on it still encrypts under another key, start it anew with this STORE_KEY and the one before as STORE_KEY_PREVIOUS first.\n`,
    });
    await running.storage.close();
  }, 60_000);
});
