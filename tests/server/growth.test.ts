import type * as Crypto from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { creditor, debtor } from '#tests/support/material.ts';
import { keptMessage } from '#tests/support/messages.ts';
import { testConsole } from '#tests/support/console.ts';
import { fakeUpstream } from '#tests/support/fakeUpstream.ts';

const opened = vi.hoisted(() => ({ records: 0 }));

// Each record that is opened is decrypted, so this counts them.
vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof Crypto>();
  const createDecipheriv = ((...given: Parameters<typeof crypto.createDecipheriv>) => {
    opened.records += 1;
    return crypto.createDecipheriv(...given);
  }) as typeof crypto.createDecipheriv; // one of its overloads
  return { ...crypto, createDecipheriv };
});

type Done = Awaited<ReturnType<typeof testConsole>>['done'];

const reads = {
  facts: (done: Done) => done('getFacts'),
  settings: (done: Done) => done('getSettings'),
  'a setting, written': (done: Done) => done('setSetting', { body: { key: 'providerCountry', value: 'GB' } }),
  'ten invoices': (done: Done) => done('getInvoices', { query: { count: '10' } }),
  'ten invoices of an account': (done: Done) => done('getInvoices', { query: { count: '10', debtorId: 'd3' } }),
};

/** How many records each read opens after a write, with `count` records of each kind. */
async function openedBy(count: number) {
  const { store, done } = await testConsole({ upstreamUrl: (await fakeUpstream({})).url });
  const all = <Value>(letter: string, make: (id: string) => Value) =>
    Array.from({ length: count }, (_, index): [string, Value] => [`${letter}${index}`, make(`${letter}${index}`)]);
  await store.batches.putAll(
    all('b', (batchId) => ({ batchId, status: 'Completed', amount: '1.00 GBP', kind: 'file', postedAt: '' })),
  );
  await store.subscriptions.putAll(
    all('s', (subscriptionId) => ({
      ...{ subscriptionId, providerId: '', status: 'Authorised', suspended: false, useMock: 'true' },
    })),
  );
  await store.debtors.putAll(all('d', (debtorId) => ({ ...debtor, debtorId, subscriptionId: '' })));
  await store.creditors.putAll(all('c', (creditorId) => ({ ...creditor, creditorId, subscriptionId: '' })));
  await store.webhooks.putAll(
    all('w', (id) => ({ id, receivedAt: new Date().toISOString(), type: 'batchUpdated', unread: true })),
  );
  await done('getFacts'); // opens all once, to find those that are damaged
  const found: Record<string, number> = {};
  for (const [name, read] of Object.entries(reads)) {
    await store.settings.write('providerCountry', 'GB');
    const before = opened.records;
    await read(done);
    found[name] = opened.records - before;
  }
  return found;
}

it('reads open no more of 400 records of each kind than of 100', async () => {
  const [few, many] = [await openedBy(100), await openedBy(400)];
  expect(Object.values(few).every((count) => count > 0)).toBe(true);
  // The timeline is written meanwhile, after which a few settings are opened again.
  for (const name of Object.keys(reads)) expect(many[name], name).toBeLessThan(few[name]! + 20); // a read's name
  // What a write of a setting does not change is not opened again.
  for (const name of Object.keys(reads)) expect(many[name], name).toBeLessThan(40);
});

const lists = {
  'a page of messages': (done: Done) => done('listMessages', { query: { limit: '10' } }),
  'the messages that wait for one debtor': (done: Done) =>
    done('listMessages', { query: { state: 'waiting', kind: 'debtoraccountputs', resourceId: 'm3' } }),
  'the latest message about a debtor': (done: Done) => done('getMessage', { params: { resourceId: 'm5' } }),
  'a page of unread webhooks': (done: Done) => done('listWebhooks', { query: { limit: '10' } }),
};

/** The same of messages and webhooks; those of lists that are filtered. */
async function openedByLists(count: number) {
  const { store, done } = await testConsole({ upstreamUrl: (await fakeUpstream({})).url });
  const message = (id: string) =>
    keptMessage({ messageId: `of ${id}`, resourceId: id, kind: 'debtoraccountputs', subscriptionId: '' });
  const webhook = (id: string) => ({ id, receivedAt: new Date().toISOString(), type: 'batchUpdated', unread: true });
  const numbers = Array.from({ length: count }, (_, index) => index);
  await store.messages.putAll(numbers.map((index) => [`of m${index}`, message(`m${index}`)]));
  await store.webhooks.putAll(numbers.map((index) => [`w${index}`, webhook(`w${index}`)]));
  for (const list of Object.values(lists)) await list(done); // opens all once, to know what they are filtered by
  const found: Record<string, number> = {};
  for (const [name, list] of Object.entries(lists)) {
    await store.messages.put('of m1', message('m1'));
    await store.webhooks.put('w1', webhook('w1'));
    const before = opened.records;
    await list(done);
    found[name] = opened.records - before;
  }
  return found;
}

it('lists of messages and webhooks open what they show, of 400 as of 100', async () => {
  const [few, many] = [await openedByLists(100), await openedByLists(400)];
  expect(Object.values(few).every((count) => count > 0)).toBe(true);
  for (const name of Object.keys(lists)) expect(many[name], name).toBeLessThan(few[name]! + 20); // a list's name
});

it('lists the same invoices of many creditors as of all of them', async () => {
  const { store, done } = await testConsole({ upstreamUrl: (await fakeUpstream({})).url });
  const ids = Array.from({ length: 12 }, (_, index) => `c${index}`);
  await store.creditors.putAll(ids.map((creditorId) => [creditorId, { ...creditor, creditorId, subscriptionId: '' }]));
  const creditorsOf = async (count: string) =>
    (await done('getInvoices', { query: { count } })).data.map((invoice) => invoice.creditor);
  expect(await creditorsOf('10')).toEqual(ids.slice(0, 10));
  expect((await creditorsOf('100')).slice(0, 30)).toEqual([...ids, ...ids, ...ids].slice(0, 30));
});
