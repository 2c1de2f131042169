import type * as Crypto from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { invoiceOf } from '#server/payments/invoiceIdentity.ts';
import { payerOf } from '#server/payments/payer.ts';
import { applyAnswer } from '#server/messages/applyAnswer.ts';
import { saveMessage } from '#server/messages/save.ts';
import { systemClock } from '#server/clock.ts';
import { scopeHeader } from '#contract/constants.ts';
import { batchAnswers } from '#server/payments/batchAnswers.ts';
import { sentPayments } from '#server/payments/records.ts';
import { endpoints } from '#server/upstream/wire.ts';
import { markRead } from '#server/webhooks/inbox.ts';
import { creditor, debtor, paid } from '#tests/support/fixtures.ts';
import { silent, testConsole } from '#tests/support/console.ts';
import { executionDate } from '#tests/support/executionDate.ts';
import { keptMessage } from '#tests/support/messages.ts';
import type { Failure } from '#server/failure.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';

const opened = vi.hoisted(() => ({ records: 0 }));

// Each record read from the database is decrypted, so this counts them.
vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof Crypto>();
  const createDecipheriv = ((...given: Parameters<typeof crypto.createDecipheriv>) => {
    opened.records += 1;
    return crypto.createDecipheriv(...given);
  }) as typeof crypto.createDecipheriv; // one of its overloads
  return { ...crypto, createDecipheriv };
});

const opens = async (run: () => Promise<unknown>): Promise<number> => {
  const before = opened.records;
  await run();
  return opened.records - before;
};

type Done = Awaited<ReturnType<typeof testConsole>>['done'];

const reads = {
  facts: (done: Done) => done('getFacts'),
  settings: (done: Done) => done('getSettings'),
  'a setting, written': (done: Done) => done('setSetting', { body: { key: 'providerCountry', value: 'GB' } }),
  'ten invoices': (done: Done) => done('getInvoices', { query: { count: '10' } }),
  'ten invoices of an account': (done: Done) => done('getInvoices', { query: { count: '10', debtorId: 'd3' } }),
};

/** The number of records that each read decrypts after a write, with `count` stored records of each kind. */
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
    all('w', (id) => ({ id, receivedAt: new Date().toISOString(), type: 'batchUpdated', unread: true })).slice(0, 100), // the quota limits their number
  );
  const found: Record<string, number> = {};
  for (const [name, read] of Object.entries(reads)) {
    await store.settings.write('providerCountry', 'GB');
    const before = opened.records;
    await read(done);
    found[name] = opened.records - before;
  }
  return found;
}

it('GET facts, settings and invoices decrypt no more records with 400 stored of each kind than with 100 (behaviour 3.4, 3.6)', async () => {
  const [few, many] = [await openedBy(100), await openedBy(400)];
  expect(Object.values(few).every((count) => count > 0)).toBe(true);
  for (const name of Object.keys(reads)) expect(many[name], name).toBeLessThan(few[name]! + 20); // a read's name
});

/** The number of records that each step decrypts, with `count` stored records that it is not about. */
async function openedBeside(count: number) {
  const server = await testConsole({ upstreamUrl: (await fakeUpstream({})).url });
  const { store, done } = server;
  await store.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k' });
  const ids = Array.from({ length: count }, (_, index) => `${index}`);
  const states = ['waiting', 'accepted', 'refused'] as const;
  await store.messages.putAll(
    ids.map((id, index) => [
      id,
      keptMessage({
        ...{ messageId: id, resourceId: `of ${id}`, kind: 'creditorputs', data: { id } },
        state: states[index % states.length]!, // not empty
      }),
    ]),
  );
  const answer = { asked: { by: 'another', turn: 1 }, status: 'Failed', readAt: '', staysPaid: [] };
  await store
    .records(batchAnswers)
    .putAll(ids.map((batchId) => [batchId, { ...answer, batchId, failed: 'all' as const }]));
  await store.attempts.putAll(
    ids.map((key, index) => [
      key,
      {
        ...{ key, intention: `another ${key}`, state: index % 2 ? ('refused' as const) : ('open' as const) },
        ...{ madeAt: 1, sentAt: 1, request: null, despite: [] },
      },
    ]),
  );
  await store.creditors.putAll(
    ids.map((id) => [id, { ...creditor, creditorId: id, creditorAccountidentification: `100${id}` }]),
  );
  await store.batches.putAll(
    ids.map((batchId) => [batchId, { batchId, status: '', amount: '', kind: 'electronic', postedAt: '' }]),
  );
  const [payment] = paid.payments;
  const { creditorId: _, ...unknownCreditor } = payment!.creditor;
  const halfNamed = {
    ...paid,
    payments: [{ ...payment!, creditor: unknownCreditor, creditorAccount: { identification: '100-3' } }],
  };
  // What is beyond the maximum is removed once.
  await done('preparePayment', { body: { ...paid, requestedExecutionDateTime: executionDate } });
  const message = keptMessage({
    messageId: 'm',
    kind: 'creditorputs',
    resourceId: 'creditor-1',
    data: { creditorId: 'creditor-1' },
  });
  const deps = { store: store.at('first'), log: silent };
  const webhook = { id: 'w', receivedAt: '', type: 'creditorputs', interactionId: 'm', data: { status: 'accepted' } };
  const query = keptMessage({ messageId: 'q', kind: 'creditorlistqueries', resourceId: 's', subscriptionId: 's' });
  const list = {
    ...{ id: 'l', receivedAt: '', type: 'creditorlistqueryresponses', interactionId: 'q', subscriptionId: 's' },
    data: { creditors: [] },
  };
  return {
    'a message, sent': await opens(() => saveMessage(deps.store, message, undefined)),
    'its answer': await opens(async () => expect(await applyAnswer(deps, webhook)).toBe(true)),
    'a query, sent': await opens(() => saveMessage(deps.store, query, undefined)),
    'the list that answers it': await opens(async () => expect(await applyAnswer(deps, list)).toBe(true)),
    'a payment, prepared': await opens(() =>
      done('preparePayment', { body: { ...paid, requestedExecutionDateTime: executionDate } }),
    ),
    'a creditor, put again in vain': await opens(async () => {
      const again = {
        ...message,
        messageId: 'n',
        resourceId: 'creditor-2',
        data: { creditorId: 'creditor-2', id: '3' },
      };
      expect(await saveMessage(deps.store, again, 'refuse').catch(({ problem }: Failure) => problem.code)).toBe(
        'message-pending',
      );
    }),
    'a payment to half of a known payee, prepared': await opens(() =>
      done('preparePayment', { body: { ...halfNamed, requestedExecutionDateTime: executionDate } }),
    ),
    'a link to a file, followed in vain': await opens(() =>
      server.refused('downloadPaymentFile', { params: { link: 'https://elsewhere.example/file' } }),
    ),
    'the first page of messages': await opens(() => done('listMessages', { query: { limit: '2' } })),
    'the second page of waiting ones': await opens(async () => {
      const query = { state: 'waiting' as const, limit: '1' };
      const { next } = await done('listMessages', { query });
      expect((await done('listMessages', { query: { ...query, after: next! } })).data).toHaveLength(1); // there are more
    }),
    'the last message of a kind about a subscription': await opens(() =>
      done('listMessages', { query: { kind: message.kind, subscriptionId: message.subscriptionId, limit: '1' } }),
    ),
    'a payment, sent': await opens(() =>
      server.refused('createBatch', { body: { externalId: 'e', ...paid, requestedExecutionDateTime: executionDate } }),
    ),
  };
}

it('A message, its answer and a payment decrypt as many records with 190 others stored of each kind as with 10', async () => {
  expect(await openedBeside(190)).toEqual(await openedBeside(10));
});

/** The number of records that each step decrypts, with `count` unread webhooks, lost payments and companies besides. */
async function openedAmong(count: number) {
  const read = { batchId: 'b', externalId: 'of the batch', status: 'Processing' };
  const upstream = await fakeUpstream({
    [`${endpoints.batches}/b`]: answering({ data: read }),
    [`${endpoints.batches}/c`]: answering({ data: { ...read, batchId: 'c', externalId: 'of nobody' } }),
    [`${endpoints.batches}/d`]: answering({ data: { ...read, batchId: 'd', externalId: '2' } }),
  });
  const { store, done } = await testConsole({ upstreamUrl: upstream.url });
  const ids = Array.from({ length: count }, (_, index) => `${index}`);
  for (const scope of ['asked', ...ids]) await store.scopes.write(scope, { organisationId: 'o', companyId: scope });
  await store.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k' });
  await store.webhooks.putAll(
    ['named', ...ids].map((id) => [
      id,
      { id, receivedAt: new Date().toISOString(), type: 'other', data: {}, unread: true },
    ]),
  );
  await store.attempts.putAll(
    ids.map((key) => [
      key,
      {
        ...{ key, intention: key, state: 'unknown', lost: 'lost', madeAt: 1, sentAt: 1, despite: [] },
        request: { ...paid, externalId: key },
      },
    ]),
  );
  await store.records(sentPayments).put('b', []);
  const deps = { store: store.at('first'), clock: systemClock, log: silent };
  const readAgain = () => done('getBatch', { params: { batchId: 'b' } });
  await readAgain();
  return {
    'one webhook, marked as read': await opens(() => markRead(deps, ['named', 'unknown', 'named'])),
    'a batch sent from here, read again': await opens(readAgain),
    'a batch that nobody here has sent': await opens(() => done('getBatch', { params: { batchId: 'c' } })),
    'a batch whose response was lost': await opens(() => done('getBatch', { params: { batchId: 'd' } })),
    'the first page of webhooks': await opens(() => done('listWebhooks', { query: { limit: '2' } })),
    'a request that names another company': await opens(async () =>
      expect(await store.scopes.known('asked')).toMatchObject({ scope: 'asked' }),
    ),
  };
}

it('A webhook marked as read, a batch read again and a named company decrypt as many records with 60 others as with 3', async () => {
  const [few, many] = [await openedAmong(3), await openedAmong(60)];
  expect(many).toEqual(few);
  expect(few['one webhook, marked as read']).toBe(1);
});

it.each([
  ['names no company', '', ''],
  ['names the current company', 'first', ''],
  ['names another company', 'two', ''],
  ['names no company while another than the first is current', '', 'two'],
  ['names the first company while another is current', 'first', 'two'],
])('A request that %s reads the settings of the workspace and of its company once', async (_, named, current) => {
  const { store, done } = await testConsole({ upstreamUrl: (await fakeUpstream({})).url, entries: 0 });
  await store.settings.writeAll({ organisationId: 'o', companyId: 'c', useMock: 'false', subscriptionId: 's' });
  for (const scope of ['two', 'three']) await store.scopes.write(scope, { organisationId: 'o', companyId: scope });
  if (current !== '') await store.scopes.select(current);
  const headers = named === '' ? {} : { [scopeHeader]: named };
  expect(await opens(() => done('getDebtors', { headers }))).toBe(named === '' && current !== '' ? 3 : 2); // the first one is tried
  const before = await done('getSettings', { headers });
  await done('setSetting', { body: { key: 'providerCountry', value: 'CA' }, headers });
  expect(await done('getSettings', { headers })).toEqual({ ...before, providerCountry: 'CA' });
});

it('GET /api/invoices assigns the same creditors whatever number of invoices is requested', async () => {
  const { store, done } = await testConsole({ upstreamUrl: (await fakeUpstream({})).url });
  const ids = Array.from({ length: 12 }, (_, index) => `c${index}`);
  await store.creditors.putAll(ids.map((creditorId) => [creditorId, { ...creditor, creditorId, subscriptionId: '' }]));
  const creditorsOf = async (count: string) =>
    (await done('getInvoices', { query: { count } })).data.map((invoice) => invoice.creditor);
  expect(await creditorsOf('10')).toEqual(ids.slice(0, 10));
  expect((await creditorsOf('100')).slice(0, 30)).toEqual([...ids, ...ids, ...ids].slice(0, 30));
});

it('GET /api/invoices finds the next unpaid invoices after 3,000 paid ones in fewer than 15 queries', async () => {
  const { storage, store, config, done } = await testConsole({ upstreamUrl: (await fakeUpstream({})).url });
  await store.creditors.put('c1', { ...creditor, creditorId: 'c1', subscriptionId: '' });
  const invoicesOf = async (count: string) => (await done('getInvoices', { query: { count } })).data;
  await store.settings.writeAll({ organisationId: 'o', companyId: 'c' });
  const key = 'key';
  const paid = await invoicesOf('3000');
  const payee = { ...creditor, creditorId: 'c1', identification: '', secondaryIdentification: '' };
  const identities = paid.flatMap(({ invoiceId }) => invoiceOf(payee, invoiceId));
  await storage.paidInvoices.reserve((await payerOf({ store, config }))!, { key, identities }); // it has a company
  await storage.paidInvoices.confirm({ workspace: store.workspace, companyKey: store.scope }, key, 'batch');
  const covering = vi.spyOn(storage.paidInvoices, 'covering');
  const [next] = await invoicesOf('3');
  expect(next!.invoiceId).toContain('03001'); // there are endless invoices
  expect(covering.mock.calls.length).toBeLessThan(15);
});
