import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { Creditor } from '#contract/party.ts';
import { systemClock } from '#server/clock.ts';
import { createOnce } from '#server/writes/once.ts';
import { newAttempt } from '#server/writes/outcome.ts';
import { openStoreFile } from '#server/store/database.ts';
import { createSeal } from '#server/store/seal.ts';
import { endpoints } from '#server/upstream/wire.ts';
import { organisationBody } from '#tests/support/bodies.ts';
import { health } from '#tests/support/client.ts';
import { testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';
import { creditor } from '#tests/support/material.ts';
import { temporaryFolder, testKey, testStore, testStores } from '#tests/support/store.ts';

const creditorOf = (creditorId: string): Creditor => ({ ...creditor, creditorId });

const consoleIn = async (folder: string) => {
  const service = await fakeUpstream({
    [endpoints.providers]: answering({ data: [] }),
    [endpoints.fileFormats]: answering({ data: [] }),
    [endpoints.consumerStatus]: answering(health),
  });
  return testConsole({ upstreamUrl: service.url, folder });
};

/** Changes the file behind the console's back. */
function spoil(folder: string, statement: string): void {
  const intruder = openStoreFile(`file:${join(folder, 'console.sqlite')}`);
  intruder.exec(statement);
  intruder.close();
}

/**
 * As stored by versions that did not escape ids: the driver cuts the id off when reading, so its value cannot be
 * decrypted.
 */
const withNul = (key: KeyObject): string =>
  `update entries set key = 'one' || char(0) || 'x',
     value = '${createSeal([key]).seal('{"value":{}}', 'default/creditors/one\u0000x')}' where key = 'one'`;

const ready = async (url: string) => {
  const answer = await fetch(`${url}/readyz`);
  return { status: answer.status, body: (await answer.json()) as unknown };
};

describe('an id with control characters or lone surrogates', () => {
  it.each(['a\u0000b', 'a\ud800b', '\u0000', 'a\nb', '\u202Ea'])(
    'is stored escaped and found again: %j',
    async (id) => {
      const folder = temporaryFolder();
      const { creditors, claims } = await testStore(folder);
      await creditors.put(id, creditorOf(id));
      expect(await creditors.list()).toHaveLength(1);
      expect(await creditors.get(id)).toEqual(creditorOf(id));
      expect((await claims.claim(id, 'print')).state).toBe('fresh');
      await claims.finish(id, 'answer');
      expect(await claims.claim(id, 'print')).toEqual({ state: 'done', answer: 'answer' });
      const later = await testStore(folder);
      expect(await later.creditors.list()).toHaveLength(1);
      expect(await later.creditors.remove(id)).toBe(true);
      expect(await later.setAside()).toEqual([]);
    },
  );
});

describe('a record that cannot be read', () => {
  it.each([
    ['was changed', `update entries set value = substr(value, 1, 40) || 'AAAA' where key = 'one'`],
    ['is not sealed', `update entries set value = '{"value":{}}' where key = 'one'`],
    ['came from another place', `update entries set namespace = 'default/debtors' where key = 'one'`],
    ['has an id that the driver cuts off', withNul(testKey())],
  ])('is set aside and listed, and everything else works: it %s', async (_, statement) => {
    const folder = temporaryFolder();
    const { url, store, done } = await consoleIn(folder);
    await store.creditors.put('one', creditorOf('one'));
    await store.creditors.put('two', creditorOf('two'));
    spoil(folder, statement);
    for (let times = 0; times < 2; times += 1) await done('getFacts');
    expect(await store.creditors.list()).toEqual([creditorOf('two')]);
    const [named, ...more] = (await done('getSetAside')).data;
    expect(more).toEqual([]);
    expect((await done('getFacts')).setAside).toEqual({ total: 1, latest: [named] });
    expect(named).toMatchObject({ id: 'one', kind: statement.includes('debtors') ? 'debtors' : 'creditors' });
    expect(await ready(url)).toEqual({ status: 200, body: { store: true, upstream: true, setAside: 1 } });
    // The same id can be used again, and what was set aside is still there.
    await store.creditors.put('one', creditorOf('one'));
    expect(await store.creditors.list()).toHaveLength(2);
    expect(await (await testStore(folder)).setAside()).toHaveLength(1);
  });

  it('is counted by no caller, also while the records are still being checked for another one', async () => {
    const folder = temporaryFolder();
    const { store } = await consoleIn(folder);
    await store.batches.put('one', { batchId: 'one' } as never); // only counted
    await store.batches.put('two', { batchId: 'two' } as never); // as above
    spoil(folder, `update entries set value = 'x' where key = 'one'`);
    const again = await testStore(folder);
    expect(await Promise.all([again.batches.count(), again.batches.count(), again.batches.count()])).toEqual([1, 1, 1]);
  });

  it('is replaced when a record is added under its id', async () => {
    const folder = temporaryFolder();
    const { store } = await consoleIn(folder);
    await store.creditors.put('one', creditorOf('one'));
    spoil(folder, `update entries set value = 'x' where key = 'one'`);
    const again = await testStore(folder);
    await again.creditors.add('one', creditorOf('one'));
    expect(await again.creditors.get('one')).toEqual(creditorOf('one'));
    expect(await again.setAside()).toHaveLength(1);
  });

  it('does not prevent the start under another key', async () => {
    const folder = temporaryFolder();
    const before = await testStore(folder, 'default', [testKey(1)]);
    await before.creditors.put('one', creditorOf('one'));
    await before.creditors.put('two', creditorOf('two'));
    await before.close();
    spoil(folder, withNul(testKey(1)));
    const after = await testStore(folder, 'default', [testKey(2), testKey(1)]);
    expect(await after.creditors.list()).toEqual([creditorOf('two')]);
    expect(await after.setAside()).toMatchObject([{ kind: 'creditors', id: 'one' }]);
  });

  it('that is a payment attempt stops payments, as it may have paid any invoice', async () => {
    const folder = temporaryFolder();
    const { refused, store } = await consoleIn(folder);
    const attempt = { key: 'key', intention: 'i', invoices: ['one'], state: 'unknown' as const };
    await store.attempts.put('key', { ...attempt, madeAt: 0, sentAt: 0, batchId: '', request: '', despite: [] });
    spoil(folder, `update entries set value = 'x' where key = 'key'`);
    for (let times = 0; times < 2; times += 1)
      expect(await refused('getInvoices')).toMatchObject({ code: 'store-failed', status: 500 });
    expect(await (await testStore(folder)).setAside()).toEqual([]);
  });

  it('that is a setting makes calls fail and the console not ready, as nothing must look unset', async () => {
    const folder = temporaryFolder();
    const { url, refused, store, stores } = await consoleIn(folder);
    await store.settings.write('companyId', 'company');
    await stores.of('another').settings.write('companyId', 'company');
    expect(await ready(url)).toMatchObject({ status: 200 });
    spoil(folder, `update entries set value = 'x' where namespace = 'default/settings'`);
    expect(await refused('getFacts')).toMatchObject({
      code: 'store-failed',
      detail: expect.stringContaining('default/settings/companyId') as string,
    });
    // A result is reused for a second.
    await vi.waitFor(async () => expect(await ready(url)).toMatchObject({ status: 503, body: { store: false } }), 5000);
  });

  it('that is any user’s setting makes the console not ready', async () => {
    const folder = temporaryFolder();
    const { url } = await consoleIn(folder);
    const { settings } = (await testStores(folder)).of('another');
    await settings.write('companyId', 'company');
    spoil(folder, `update entries set value = 'x'`);
    expect(await ready(url)).toMatchObject({ status: 503, body: { store: false } });
  });
});

describe('a claim that cannot be read', () => {
  it.each(['fingerprint', 'answer'])('has its key refused with a reason, and no other key: %s', async (column) => {
    const folder = temporaryFolder();
    const service = await fakeUpstream({
      [endpoints.createOrganisation]: answering({ organisationId: 'o', primarySigningKey: 'k' }, 201),
    });
    const { done, refused } = await testConsole({ upstreamUrl: service.url, folder });
    await done('createOrganisation', { body: organisationBody, key: 'key' });
    spoil(folder, `update claims set ${column} = substr(${column}, 1, 40) || 'AAAA'`);
    for (let times = 0; times < 2; times += 1)
      expect(await refused('createOrganisation', { body: organisationBody, key: 'key' })).toMatchObject({
        code: 'outcome-unknown',
        outcome: 'unknown',
        detail: expect.stringContaining('not sent again under its idempotency key') as string,
      });
    expect(service.askedFor(endpoints.createOrganisation)).toHaveLength(1);
    await done('createOrganisation', { body: organisationBody, key: 'another' });
  });

  it('lets a webhook be taken again', async () => {
    const folder = temporaryFolder();
    const { claims } = await testStore(folder);
    const once = createOnce(claims, { ...systemClock });
    await once('webhook/1', 'print', newAttempt(), () => Promise.resolve(null));
    spoil(folder, `update claims set fingerprint = 'x'`);
    expect(await once('webhook/1', 'print', newAttempt(), () => Promise.resolve('taken'))).toEqual({
      answer: 'taken',
      replayed: false,
    });
  });
});
