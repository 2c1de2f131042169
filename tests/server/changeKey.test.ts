import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseConfig } from '#server/config.ts';
import { systemClock } from '#server/clock.ts';
import { startFailure } from '#server/process/startFailure.ts';
import type { StoreKeys } from '#server/store/keys.ts';
import { changeKey } from '#server/store/postgres/changeKey.ts';
import { createSeal, keyIdOf } from '#server/store/seal.ts';
import { openStores } from '#server/store/store.ts';
import { statement, temporaryDatabase } from '#tests/support/postgres.ts';
import { aSession, testKey } from '#tests/support/store.ts';

const run = promisify(execFile);
const [older, newer] = [testKey(1), testKey(2)];
const change = (url: string, keys: StoreKeys = [newer, older]) => changeKey(url, createSeal(keys), () => undefined);

/** A server of the store; `errors` are those that it reports, records that it sets aside among them. */
async function aServer(url: string, keys: StoreKeys) {
  const errors: unknown[] = [];
  const stores = await openStores({ url, keys, clock: systemClock, onError: (error) => errors.push(error) });
  onTestFinished(() => stores.close());
  return { ...stores, errors };
}

/** The sentence with which a server with these keys does not start. */
async function complaint(url: string, keys: StoreKeys): Promise<string | undefined> {
  const base64 = keys[0].export().toString('base64');
  try {
    await (await aServer(url, keys)).close();
  } catch (error) {
    return startFailure(error, parseConfig({ STORE_URL: url, STORE_KEY: base64 }));
  }
  return undefined;
}

const creditor = (id: string, subscriptionId: string) => ({ creditorId: id, subscriptionId }) as never; // as much as is looked at

describe('a change of the key while servers work', () => {
  it('loses nothing, sets nothing aside and counts right; then the new key is enough and the old one is refused', async () => {
    const url = await temporaryDatabase();
    const before = await aServer(url, [older]);
    const ada = before.of('ada');
    await ada.settings.writeAll({ companyId: 'company' });
    const ids = Array.from({ length: 1000 }, (_, id) => `c${id}`);
    await ada.creditors.putAll(ids.map((id, index) => [id, creditor(id, index % 2 ? 'odd' : 'even')]));
    for (const key of ['done', 'open']) await ada.claims.claim(`write/${key}`, 'print');
    await ada.claims.finish('write/done', { batchId: 'b' });
    const session = before.sessions.keyOf(await before.sessions.begin(aSession));
    await before.close();

    // One after the other: first they can read what the new key encrypts, then they encrypt with it.
    const first = await Promise.all([aServer(url, [older, newer]), aServer(url, [older, newer])]);
    const servers: Awaited<ReturnType<typeof aServer>>[] = [];
    for (const each of first) {
      await each.close();
      servers.push(await aServer(url, [newer, older]));
    }

    let goesOn = true;
    const written = servers.map(() => 0);
    const writing = servers.map(async (server, index) => {
      const { creditors, counts, claims, settings, inTurn } = server.of('ada');
      for (let number = 0; goesOn; number += 1) {
        const id = `s${index}-${number}`;
        await creditors.put(id, creditor(id, 'odd'));
        await creditors.change(`c${number % 1000}`, (found) => ({ ...found, name: id }));
        // A turn writes several records, in another order than they were written first.
        await inTurn('payments', async () => {
          const n = (await counts.get('n')) ?? 0;
          await counts.put('n', n + 1);
          for (const each of [900, 120, 0]) await creditors.change(`c${each}`, (found) => ({ ...found, name: id }));
        });
        await claims.claim(`write/${id}`, 'print');
        await claims.finish(`write/${id}`, number);
        await server.sessions.change(session, { askedAt: number });
        expect(await settings.read()).toMatchObject({ companyId: 'company' });
        expect(await creditors.count('even')).toBe(500);
        written[index] = number + 1;
      }
    });
    await vi.waitFor(() => expect(Math.min(...written)).toBeGreaterThan(0), 10_000);
    const early = [...written];
    const { count, forgotten } = await change(url);
    const late = [...written];
    goesOn = false;
    await Promise.all(writing);
    expect(count).toBeGreaterThan(900);
    expect(forgotten).toEqual([keyIdOf(older)]);
    for (const [index, number] of early.entries()) expect(late[index], 'written meanwhile').toBeGreaterThan(number);
    const total = written.reduce((sum, each) => sum + each, 0);

    for (const each of servers) {
      expect(each.errors).toEqual([]);
      await each.close();
    }
    expect(await statement(url, 'select id from keys')).toEqual([{ id: keyIdOf(newer) }]);
    const after = await aServer(url, [newer]);
    const { creditors, counts, claims, settings, setAside } = after.of('ada');
    expect(await settings.read()).toMatchObject({ companyId: 'company' });
    expect([await creditors.count('even'), await creditors.count('odd')]).toEqual([500, 500 + total]);
    const kept = (await creditors.list()).map(({ creditorId }) => creditorId);
    expect(kept.slice(0, 1000)).toEqual(ids);
    expect(kept).toHaveLength(1000 + total);
    expect(await counts.get('n')).toBe(total);
    expect(await setAside()).toEqual([]);
    expect(await claims.claim('write/done', 'print')).toEqual({ state: 'done', answer: { batchId: 'b' } });
    expect(await claims.claim('write/open', 'print')).toMatchObject({ state: 'open' });
    expect(await claims.claim('write/s0-0', 'print')).toEqual({ state: 'done', answer: 0 });
    expect(await after.sessions.use(session)).toMatchObject({ name: 'A User' });
    expect(after.errors).toEqual([]);
    await after.close();
    expect(await complaint(url, [older])).toBe(
      `STORE_KEY is not the key that the data were encrypted with: give the one with the fingerprint ${keyIdOf(newer)} as STORE_KEY, or as STORE_KEY_PREVIOUS beside a new one.`,
    );
  }, 60_000);

  it('waits until every server encrypts under the new key', async () => {
    const url = await temporaryDatabase();
    const alone = await aServer(url, [older]);
    await alone.of('ada').counts.put('n', 1);
    await expect(change(url)).rejects.toThrow(
      'a server that runs on it was not given STORE_KEY, start it anew with this key as STORE_KEY_PREVIOUS first',
    );
    await alone.close();
    const both = await aServer(url, [older, newer]);
    await expect(change(url)).rejects.toThrow(
      'a server that runs on it still encrypts under another key, start it anew with this STORE_KEY and the one before as STORE_KEY_PREVIOUS first',
    );
    expect(await statement(url, 'select id from keys')).toEqual([{ id: keyIdOf(older) }]);
    await both.close();
    await expect(change(url, [newer])).rejects.toThrow('which is not given');
    expect(await change(url)).toEqual({ count: 1, forgotten: [keyIdOf(older)] });
    expect(await change(url, [newer])).toEqual({ count: 0, forgotten: [] });
  });

  it('waits for a turn, and holds nothing meanwhile that the turn needs', async () => {
    const url = await temporaryDatabase();
    const server = await aServer(url, [older, newer]);
    const { counts } = server.of('ada');
    await counts.put('n', 1);
    await server.close();
    const now = await aServer(url, [newer, older]);
    const store = now.of('ada');
    let changing: Promise<unknown> | undefined;
    await store.inTurn('payments', async () => {
      await store.counts.put('m', 1);
      changing = change(url);
      const waiting = () => statement(url, "select from pg_locks where locktype = 'advisory' and not granted");
      await vi.waitFor(async () => expect(await waiting()).toHaveLength(1), 5000);
      await store.counts.put('n', ((await store.counts.get('n')) ?? 0) + 1);
    });
    expect(await changing).toEqual({ count: 0, forgotten: [keyIdOf(older)] });
    expect(await store.counts.get('n')).toBe(2);
  });

  it('is completed by another one after it was cut off half-way, and everything is readable in between', async () => {
    const url = await temporaryDatabase();
    const before = await aServer(url, [older]);
    const ids = Array.from({ length: 3000 }, (_, id) => `c${id}`);
    await before.of('ada').creditors.putAll(ids.map((id) => [id, creditor(id, 's')]));
    await before.close();
    const server = await aServer(url, [newer, older]);
    const { creditors } = server.of('ada');
    const { currentMark } = createSeal([newer]);
    const changed = async () => {
      const [found] = await statement(
        url,
        `select count(*)::int as n from entries where starts_with(value, '${currentMark}')`,
      );
      return Number(found!['n']); // of count
    };

    const changing = change(url).catch((error: unknown) => error);
    await vi.waitFor(async () => expect(await changed()).toBeGreaterThan(0), { timeout: 10_000, interval: 5 });
    await statement(
      url,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    expect(await changing).toBeInstanceOf(Error);
    const half = await changed();
    expect(half).toBeGreaterThan(0);
    expect(half).toBeLessThan(3000);
    expect((await creditors.list()).map(({ creditorId }) => creditorId)).toEqual(ids);
    expect(await creditors.count('s')).toBe(3000);
    expect((await statement(url, 'select id from keys')).map(({ id }) => id)).toContain(keyIdOf(older));

    expect(await change(url)).toEqual({ count: 3000 - half, forgotten: [keyIdOf(older)] });
    expect((await creditors.list()).map(({ creditorId }) => creditorId)).toEqual(ids);
    expect(await creditors.count('s')).toBe(3000);
    expect(await server.of('ada').setAside()).toEqual([]);
  }, 60_000);

  it('keeps what was tampered with unreadable, under no key', async () => {
    const url = await temporaryDatabase();
    const server = await aServer(url, [older]);
    const { debtors } = server.of('ada');
    for (const id of ['sound', 'moved']) await debtors.put(id, { debtorId: id, subscriptionId: 's' } as never);
    await server.close();
    await statement(
      url,
      "update entries set value = (select value from entries where key = 'sound') where key = 'moved'",
    );
    expect(await change(url)).toMatchObject({ count: 2 });
    const after = await aServer(url, [newer]);
    expect((await after.of('ada').debtors.list()).map(({ debtorId }) => debtorId)).toEqual(['sound']);
    expect(await after.of('ada').setAside()).toMatchObject([{ kind: 'debtors', id: 'moved' }]);
  });

  it('is a command, which says what it did', async () => {
    const url = await temporaryDatabase();
    const server = await aServer(url, [older]);
    await server.of('ada').counts.put('n', 1);
    await server.close();
    const [STORE_KEY, STORE_KEY_PREVIOUS] = [newer, older].map((key) => key.export().toString('base64'));
    const command = (STORE_URL: string, ...args: string[]) =>
      run(process.execPath, ['scripts/changeKey.mjs', ...args], {
        env: { ...process.env, STORE_KEY, STORE_KEY_PREVIOUS, UPSTREAM: '', STORE_URL },
      });
    await expect(command(url, '--help')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^Usage: npm run change-key\n/) as string,
    });
    expect((await command(url)).stdout).toBe(
      `1 value was encrypted anew. Nothing in the database needs another key than STORE_KEY, and ${keyIdOf(older)} is forgotten: remove STORE_KEY_PREVIOUS from the servers, one after the other.\n`,
    );
    await expect(command('file:console.sqlite')).rejects.toThrow('STORE_URL names no PostgreSQL database: the key of');
  }, 60_000);
});
