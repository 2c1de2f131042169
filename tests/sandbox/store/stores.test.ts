import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { pino } from 'pino';
import { sandboxDefaults } from '#server/sandbox/config.ts';
import { credentialsOf } from '#server/sandbox/credentials.ts';
import { createSandbox } from '#server/sandbox/application.ts';
import { createStorage } from '#server/sandbox/store/collection.ts';
import { applicationsAtWork, openShare } from '#server/sandbox/store/tenantStore.ts';
import { openPostgresStore } from '#server/sandbox/store/postgres.ts';
import { openSqliteStore } from '#server/sandbox/store/sqlite.ts';
import type { SandboxStore } from '#server/sandbox/store/store.ts';
import { createSent } from '#server/sandbox/webhooks/deliveries.ts';
import { createSchedule } from '#server/sandbox/store/jobs.ts';
import { systemClock as clock } from '#server/clock.ts';
import { temporaryDatabase } from '#tests/support/postgres.ts';
import { temporaryFolder } from '#tests/support/store.ts';
import { catalogueDouble } from '../catalogueDouble.ts';

const log = pino({ level: 'silent' });
const opened: SandboxStore[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
});
const kept = (store: SandboxStore): SandboxStore => {
  opened.push(store);
  return store;
};

const stores = [
  ['SQLite', () => Promise.resolve(kept(openSqliteStore(join(temporaryFolder(), 'sandbox.sqlite'))))],
  ['PostgreSQL', async () => kept(await openPostgresStore(await temporaryDatabase(), log))],
] as const;

describe.each(stores)('a store of the sandbox: %s', (_name, open) => {
  it('keeps records by application, kind and id, in the order of their first write', async () => {
    const store = await open();
    const [one, other] = ['one', 'other'].map((name) => createStorage(openShare(store, name)));
    if (!one || !other) throw new Error('both were just made');
    expect(await one.add('receiver', 's/b', { url: 'b' })).toBe(true);
    expect(await one.add('receiver', 's/a', { url: 'a' })).toBe(true);
    expect(await one.add('receiver', 's/a', { url: 'another' })).toBe(false);
    await one.save('receiver', 's/b', { url: 'changed' });
    await one.save('receiver', 't/c', { url: 'c' });
    await other.save('receiver', 's/a', { url: 'elsewhere' });
    expect(await one.find('receiver', 's/a')).toEqual({ url: 'a' });
    expect(await other.find('receiver', 's/b')).toBeUndefined();
    expect(await one.list('receiver', 's/')).toEqual([{ url: 'changed' }, { url: 'a' }]);
    expect(await one.ids('receiver', 's/')).toEqual(new Set(['s/a', 's/b']));
    expect(await one.latest('receiver', 2)).toEqual([{ url: 'c' }, { url: 'a' }]);
    expect([await one.remove('receiver', 's/a'), await one.remove('receiver', 's/a')]).toEqual([true, false]);
    expect(await other.find('receiver', 's/a')).toEqual({ url: 'elsewhere' });
  });

  it('keeps every text: escapes, U+0000, all planes, and the digits of numbers', async () => {
    const storage = createStorage(openShare(await open(), 'one'));
    const urls = ['\0', 'a\0b\u0001c', '\\u0000', '"\'\\\n', '\u{10FFFF}é', '\ud800', '?', '$1', 'x'.repeat(1_000_000)];
    for (const url of urls) await storage.save('receiver', url.slice(0, 99), { url });
    for (const url of urls) expect(await storage.find('receiver', url.slice(0, 99))).toEqual({ url });
    expect(await storage.find('receiver', 'a0b')).toBeUndefined();
    expect(await storage.remove('receiver', '\0')).toBe(true);
  });

  it('keeps all that a transaction writes or nothing, and shows it to nobody before', async () => {
    const share = openShare(await open(), 'one');
    const storage = createStorage(share);
    const after = vi.fn();
    const failed = share.transaction(async () => {
      await storage.save('receiver', 'a', { url: 'lost' });
      share.afterwards(after);
      expect(await storage.find('receiver', 'a')).toEqual({ url: 'lost' });
      await share.transaction(() => storage.save('receiver', 'b', { url: 'lost' }));
      throw new Error('undone');
    });
    const seen = storage.find('receiver', 'a');
    await expect(failed).rejects.toThrow('undone');
    expect(await seen).toBeUndefined();
    expect(await storage.list('receiver', '')).toEqual([]);
    expect(after).not.toHaveBeenCalled();
    await share.transaction(async () => {
      share.afterwards(after);
      await storage.save('receiver', 'a', { url: 'kept' });
      expect(after).not.toHaveBeenCalled();
    });
    expect(after).toHaveBeenCalledOnce();
    expect(await storage.find('receiver', 'a')).toEqual({ url: 'kept' });
  });

  it('lets what reads and then writes run one after the other, and single writes between them', async () => {
    const share = openShare(await open(), 'one');
    const storage = createStorage(share);
    const add = () =>
      share.transaction(async () => {
        const found = await storage.find('receiver', 'count');
        await new Promise(setImmediate);
        await storage.save('receiver', 'count', { url: String(Number(found?.url ?? 0) + 1) });
      });
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        index % 3 === 0 ? storage.add('receiver', `other ${index}`, { url: '' }) : add(),
      ),
    );
    expect(await storage.find('receiver', 'count')).toEqual({ url: '20' });
    expect((await storage.ids('receiver', 'other')).size).toBe(10);
  });

  it('writes nothing of an application after it was emptied, and keeps its key and the others', async () => {
    const store = await open();
    const [share, other] = [openShare(store, 'one'), openShare(store, 'other')];
    const [storage, others] = [createStorage(share), createStorage(other)];
    await storage.save('key', 'rs256', { kty: 'RSA' });
    await storage.save('receiver', 'a', { url: 'a' });
    await others.save('receiver', 'a', { url: 'a' });
    await createSent(share).add('msg', 'type', 'body', 1);
    await createSchedule(share, { clock, log }).add('batch', { batchId: 'b' }, 0);
    expect(await applicationsAtWork(store)).toEqual(['one']);
    const before = share.transaction(() => storage.save('receiver', 'before', { url: '' }));
    const emptied = share.empty();
    const late = storage.save('receiver', 'late', { url: '' });
    await Promise.all([before, emptied, expect(late).rejects.toThrow('The sandbox was emptied meanwhile')]);
    expect(await storage.list('receiver', '')).toEqual([]);
    expect(await createSent(share).latest(10)).toEqual([]);
    expect(await applicationsAtWork(store)).toEqual([]);
    expect(await storage.find('key', 'rs256')).toEqual({ kty: 'RSA' });
    expect(await others.find('receiver', 'a')).toEqual({ url: 'a' });
    const anew = createStorage(openShare(store, 'one'));
    expect(await anew.add('receiver', 'a', { url: 'a' })).toBe(true);
  });

  it('is read before an application counts as idle, so that it is not let go with its jobs', async () => {
    const share = openShare(await open(), 'one');
    await createSchedule(share, { clock, log }).add('batch', { batchId: 'b' }, 600_000);
    const sandbox = createSandbox({
      ...{ share, clock, log, catalogue: catalogueDouble, newId: randomUUID, key: {} },
      config: { ...sandboxDefaults, publicUrl: 'http://127.0.0.1', webhookUrl: '', isProxied: false },
      credentials: credentialsOf('a secret of the tests', 'one'),
      empty: () => Promise.resolve(),
      labChanged: () => undefined,
    });
    expect(sandbox.isIdle()).toBe(false);
    await sandbox.start();
    await vi.waitFor(() => expect(sandbox.isSettled()).toBe(true));
    expect(sandbox.isIdle()).toBe(false);
    await sandbox.stop();
    expect(sandbox.isIdle()).toBe(true);
  });

  it('keeps the latest webhooks, with what became of them', async () => {
    const share = openShare(await open(), 'one');
    const sent = createSent(share, 3);
    for (let number = 1; number <= 5; number += 1) await sent.add(`msg_${number}`, 'type', 'body', number);
    await sent.note('msg_4', 500, false);
    await sent.note('msg_5', 204, true);
    expect(await sent.find('msg_2')).toBeUndefined();
    expect(await sent.find('msg_3')).toMatchObject({ attempts: 0, status: 0, delivered: false });
    expect((await sent.latest(2)).map(({ webhookId }) => webhookId)).toEqual(['msg_5', 'msg_4']);
    expect((await sent.failedSince(4)).map(({ webhookId, status }) => [webhookId, status])).toEqual([['msg_4', 500]]);
  });

  it('runs jobs when they are due, again when they ask for it, and gives up one that fails', async () => {
    const share = openShare(await open(), 'one');
    const schedule = createSchedule(share, { clock, log });
    const run: string[] = [];
    schedule.on('batch', ({ batchId }, attempt) => {
      run.push(`${batchId} ${attempt}`);
      if (batchId === 'fails') throw new Error('it fails');
      return Promise.resolve(batchId === 'again' && attempt === 0 ? 1 : undefined);
    });
    for (const batchId of ['again', 'fails', ...Array.from({ length: 50 }, (_, index) => `b${index}`)])
      await schedule.add('batch', { batchId }, 0);
    const late = await schedule.add('batch', { batchId: 'late' }, 600_000);
    await schedule.add('batch', { batchId: 'never' }, 600_000);
    await schedule.start();
    await vi.waitFor(async () => expect(await schedule.pending()).toBe(2), 10_000);
    expect(run.toSorted()).toEqual(
      ['again 0', 'again 1', 'fails 0', ...Array.from({ length: 50 }, (_, index) => `b${index} 0`)].toSorted(),
    );
    await schedule.bring(late, 0);
    await vi.waitFor(async () => expect(await schedule.pending()).toBe(1));
    expect(run.at(-1)).toBe('late 0');
    await schedule.stop();
    expect(schedule.isIdle()).toBe(true);
  });
});
