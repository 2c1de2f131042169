import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { pino } from 'pino';
import { sandboxDefaults } from '#server/sandbox/config.ts';
import { credentialsOf } from '#server/sandbox/credentials.ts';
import { settingsOf } from '#server/sandbox/options.ts';
import { createApplication } from '#server/sandbox/application.ts';
import { createJobs } from '#server/sandbox/store/jobs.ts';
import { openSandboxStore, type SandboxStore } from '#server/sandbox/store/sandboxStore.ts';
import {
  applicationsWithJobs,
  openTenantStore,
  type Collections,
  type TenantStore,
} from '#server/sandbox/store/tenantStore.ts';
import { createDeliveries } from '#server/sandbox/records/deliveries.ts';
import { systemClock as clock } from '#server/clock.ts';
import { eventually } from '#tests/support/eventually.ts';
import { temporaryDatabase } from '#tests/support/postgres.ts';
import { temporaryFolder } from '#tests/support/store.ts';
import { catalogueDouble } from '../catalogueDouble.ts';
import { recorderOf } from '../recorderDouble.ts';

const log = pino({ level: 'silent' });
const opened: SandboxStore[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
});
const receiversOf = (store: Collections) => store.collection<{ url: string }>('receiver');
/** The jobs of an application, and a kind of job that only counts. */
function jobsOf(store: TenantStore) {
  const jobs = createJobs(store, { clock, log });
  return { ...jobs, batch: jobs.define<{ batchId: string }>('batch', () => Promise.resolve(undefined)) };
}

const stores = [
  ['SQLite', () => Promise.resolve(`file:${join(temporaryFolder(), 'sandbox.sqlite')}`)],
  ['PostgreSQL', temporaryDatabase],
] as const;

describe.each(stores)('a store of the sandbox: %s', (_name, newUrl) => {
  const open = async (): Promise<SandboxStore> => {
    const store = await openSandboxStore(await newUrl(), { clock, log });
    opened.push(store);
    return store;
  };

  it('keeps records by application, kind and id, in the order of their first write', async () => {
    const store = await open();
    const [one, other] = ['one', 'other'].map((name) => receiversOf(openTenantStore(store, name)));
    if (!one || !other) throw new Error('both were just made');
    expect(await one.add('s/b', { url: 'b' })).toBe(true);
    expect(await one.add('s/a', { url: 'a' })).toBe(true);
    expect(await one.add('s/a', { url: 'another' })).toBe(false);
    await one.save('s/b', { url: 'changed' });
    await one.save('t/c', { url: 'c' });
    await other.save('s/a', { url: 'elsewhere' });
    expect(await one.find('s/a')).toEqual({ url: 'a' });
    expect(await other.find('s/b')).toBeUndefined();
    expect(await one.list('s/')).toEqual([{ url: 'changed' }, { url: 'a' }]);
    expect(await one.existing(['s/a', 's/c', 's/b'])).toEqual(new Set(['s/a', 's/b']));
    expect(await one.existing([])).toEqual(new Set());
    expect(await one.latest(2)).toEqual([{ url: 'c' }, { url: 'a' }]);
    expect([await one.remove('s/a'), await one.remove('s/a')]).toEqual([true, false]);
    expect(await other.find('s/a')).toEqual({ url: 'elsewhere' });
  });

  it('keeps every text: escapes, U+0000, all planes, and the digits of numbers', async () => {
    const receivers = receiversOf(openTenantStore(await open(), 'one'));
    const urls = ['\0', 'a\0b\u0001c', '\\u0000', '"\'\\\n', '\u{10FFFF}é', '\ud800', '?', '$1', 'x'.repeat(1_000_000)];
    for (const [index, url] of urls.entries()) await receivers.save(`id ${index}`, { url });
    for (const [index, url] of urls.entries()) expect(await receivers.find(`id ${index}`)).toEqual({ url });
    for (const id of ['\0', 'a\0b\u0001c', '\ud800', '\u{10FFFF}', '?']) {
      expect(await receivers.find(id), 'an id that nothing has').toBeUndefined();
      await receivers.save(id, { url: id });
      expect(await receivers.find(id)).toEqual({ url: id });
      expect([...(await receivers.existing([id]))]).toEqual([id]);
      expect(await receivers.remove(id)).toBe(true);
    }
  });

  it('keeps all writes of a transaction or none, and shows them to no reader before', async () => {
    const store = openTenantStore(await open(), 'one');
    const receivers = receiversOf(store);
    const after = vi.fn();
    const failed = store.transaction(async () => {
      await receivers.save('a', { url: 'lost' });
      await store.afterCommit(after);
      expect(await receivers.find('a')).toEqual({ url: 'lost' });
      await store.transaction(() => receivers.save('b', { url: 'lost' }));
      throw new Error('undone');
    });
    const seen = receivers.find('a');
    await expect(failed).rejects.toThrow('undone');
    expect(await seen).toBeUndefined();
    expect(await receivers.list('')).toEqual([]);
    expect(after).not.toHaveBeenCalled();
    await store.transaction(async () => {
      await store.afterCommit(after);
      await receivers.save('a', { url: 'kept' });
      expect(after).not.toHaveBeenCalled();
    });
    expect(after).toHaveBeenCalledOnce();
    expect(await receivers.find('a')).toEqual({ url: 'kept' });
  });

  it('runs transactions that read and write one after the other, with single writes between them', async () => {
    const store = openTenantStore(await open(), 'one');
    const receivers = receiversOf(store);
    const add = () =>
      store.transaction(async () => {
        const found = await receivers.find('count');
        await Promise.resolve();
        await receivers.save('count', { url: String(Number(found?.url ?? 0) + 1) });
      });
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        index % 3 === 0 ? receivers.add(`other ${index}`, { url: '' }) : add(),
      ),
    );
    expect(await receivers.find('count')).toEqual({ url: '20' });
    expect((await receivers.list('other')).length).toBe(10);
  });

  it('writes nothing of an application after it was emptied, and keeps its key and the others', async () => {
    const store = await open();
    const [one, other] = [openTenantStore(store, 'one'), openTenantStore(store, 'other')];
    const [receivers, others] = [receiversOf(one), receiversOf(other)];
    const keys = one.collection<{ kty: string }>('key');
    await keys.save('rs256', { kty: 'RSA' });
    await receivers.save('a', { url: 'a' });
    await others.save('a', { url: 'a' });
    await createDeliveries(one, recorderOf()).add('msg', 'type', 'body', 1);
    await jobsOf(one).batch.add({ batchId: 'b' }, 0);
    expect(await applicationsWithJobs(store)).toEqual(['one']);
    const before = one.transaction(() => receivers.save('before', { url: '' }));
    const emptied = one.empty();
    const late = receivers.save('late', { url: '' });
    await Promise.all([before, emptied, expect(late).rejects.toThrow('The sandbox was emptied meanwhile')]);
    expect(await receivers.list('')).toEqual([]);
    expect(await createDeliveries(one, recorderOf()).latest(10)).toEqual([]);
    expect(await applicationsWithJobs(store)).toEqual([]);
    expect(await keys.find('rs256')).toEqual({ kty: 'RSA' });
    expect(await others.find('a')).toEqual({ url: 'a' });
    const anew = receiversOf(openTenantStore(store, 'one'));
    expect(await anew.add('a', { url: 'a' })).toBe(true);
  });

  it('is read before an application counts as idle, so that its jobs keep it loaded', async () => {
    const store = openTenantStore(await open(), 'one');
    await jobsOf(store).batch.add({ batchId: 'b' }, 600_000);
    const application = createApplication({
      settings: settingsOf({ machineClock: clock, log, catalogue: catalogueDouble }),
      tenant: {
        credentials: credentialsOf('a secret of the tests', 'one'),
        newId: randomUUID,
        newInteractionId: randomUUID,
        recorder: recorderOf(),
        control: undefined as never, // none of its calls is made
      },
      store,
      key: {},
      config: { ...sandboxDefaults, publicUrl: 'http://127.0.0.1', webhookUrl: '', isProxied: false },
      empty: () => Promise.resolve(),
      credentialsFor: () => credentialsOf('a secret of the tests'),
      labChanged: () => undefined,
    });
    expect(application.isIdle()).toBe(false);
    await application.start();
    await eventually(() => expect(application.isSettled()).toBe(true));
    expect(application.isIdle()).toBe(false);
    await application.stop();
    expect(application.isIdle()).toBe(true);
  });

  it('keeps the latest webhooks with their deliveries', async () => {
    const attempt = (status: number, receiver: 'consumer' | 'second' = 'consumer') => ({
      at: 1,
      receiver,
      url: 'http://a.example/',
      status,
      outcome: '',
    });
    const store = openTenantStore(await open(), 'one');
    const recorder = recorderOf();
    const sent = { ms: 1, headers: {}, body: '{"type":"type"}', fault: undefined };
    const deliveries = createDeliveries(store, recorder, 3);
    for (let number = 1; number <= 5; number += 1) await deliveries.add(`msg_${number}`, 'type', 'body', number);
    await deliveries.recordAttempt('msg_4', attempt(500), sent);
    await deliveries.recordAttempt('msg_5', attempt(204), sent);
    await deliveries.recordAttempt('msg_4', attempt(204, 'second'), sent);
    await deliveries.recordAttempt('msg_1', attempt(204), sent); // evicted
    expect(await deliveries.find('msg_2')).toBeUndefined();
    expect(await deliveries.find('msg_3')).toMatchObject({ attempts: 0, status: 0, delivered: false });
    expect((await deliveries.latest(2)).map(({ webhookId }) => webhookId)).toEqual(['msg_5', 'msg_4']);
    expect((await deliveries.failedSince(4)).map(({ webhookId, status }) => [webhookId, status])).toEqual([
      ['msg_4', 500],
    ]);
    expect(recorder.webhooks().map(({ webhookId }) => webhookId)).toEqual(['msg_4', 'msg_5', 'msg_1']);
  });

  it('runs due jobs, repeats those that request it, and drops one that fails', async () => {
    const store = openTenantStore(await open(), 'one');
    const jobs = createJobs(store, { clock, log });
    const run: string[] = [];
    const batch = jobs.define<{ batchId: string }>('batch', ({ batchId }, attempt) => {
      run.push(`${batchId} ${attempt}`);
      if (batchId === 'fails') throw new Error('it fails');
      return Promise.resolve(batchId === 'again' && attempt === 0 ? 1 : undefined);
    });
    for (const batchId of ['again', 'fails', ...Array.from({ length: 50 }, (_, index) => `b${index}`)])
      await batch.add({ batchId }, 0);
    const late = await batch.add({ batchId: 'late' }, 600_000);
    await batch.add({ batchId: 'never' }, 600_000);
    await jobs.start();
    await eventually(async () => expect(await jobs.pending()).toBe(2));
    expect(run.toSorted()).toEqual(
      ['again 0', 'again 1', 'fails 0', ...Array.from({ length: 50 }, (_, index) => `b${index} 0`)].toSorted(),
    );
    await jobs.bringForward(late, 0);
    await eventually(async () => expect(await jobs.pending()).toBe(1));
    expect(run.at(-1)).toBe('late 0');
    await jobs.stop();
    expect(jobs.isIdle()).toBe(true);
  });
});
