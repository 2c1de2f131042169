import { describe, expect, it } from 'vitest';
import { companyHeader, stepHeader } from '#contract/constants.ts';
import { pathOf } from '#contract/serviceCalls.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { testConsole } from '#tests/support/console.ts';
import { batch, lost } from '#tests/support/consoleWithPayments.ts';
import { sharedUse } from '#tests/support/consoleWithUsers.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';
import type { Script } from '#tests/support/fakeUpstream.ts';
import { connectionTo, temporaryFolder } from '#tests/support/store.ts';
import { apiAt } from '#tests/support/api.ts';
import type { Rate } from '#server/http/tokenBucket.ts';

const created = answering({ data: { batchId: 'batch-1', status: 'Received' } }, 201);
const subscription = { data: { providerId: 'p', additionalData: '{}' } };

/** A console that has sent a payment under `key`. */
async function paid(script: Script, rate?: Rate) {
  const folder = temporaryFolder();
  const scripts = { [endpoints.batches]: script, [pathOf('createSubscription', 'o')]: lost };
  const service = await fakeUpstream(scripts);
  const server = await testConsole({ upstreamUrl: service.url, folder, ...(rate && { rate }) });
  await server.store.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k' });
  await server.call('createBatch', { body: batch, key: 'key' });
  const posted = service.askedFor(endpoints.batches).length;
  return { server, folder, sentSince: () => service.askedFor(endpoints.batches).length - posted };
}

type Paid = Awaited<ReturnType<typeof paid>>;
type Failing = [what: string, code: string, repeat: (paid: Paid) => ReturnType<Paid['server']['refused']>];
const failing: Failing[] = [
  [
    'is rate limited',
    'rate-limited',
    async ({ server }) => {
      while ((await server.call('getFacts')).ok);
      return server.refused('createBatch', { body: batch, key: 'key' });
    },
  ],
  [
    'has an invalid body',
    'invalid-request',
    ({ server }) => server.refused('createBatch', { body: { ...batch, payments: [] }, key: 'key' }),
  ],
  [
    'has two values of a header',
    'invalid-request',
    ({ server }) => server.refused('createBatch', { body: batch, key: 'key', headers: { [stepHeader]: 'one, two' } }),
  ],
  [
    'is no JSON',
    'invalid-request',
    ({ server }) =>
      server.refused('createBatch', { body: batch, key: 'key', headers: { 'content-type': 'text/plain' } }),
  ],
];

describe.each(failing)('A repeat that %s', (_, code, repeat) => {
  const rate = code === 'rate-limited' ? { perSecond: 0.2, burst: 12 } : undefined;

  it('says that it was not sent, and that the outcome of the earlier one is unknown (behaviour 4.26, 4.52)', async () => {
    const before = await paid(lost, rate);
    const problem = await repeat(before);
    expect(problem).toMatchObject({ code, outcome: 'unknown', repeat: 'not-sent', earlier: { state: 'unknown' } });
    expect(problem.earlier?.detail).toMatch(
      /^This request was not sent\. The outcome of the earlier one under its key, of \d{4}-\S+Z, is unknown/,
    );
    expect(before.sentSince()).toBe(0);
  });

  it('says that it was not sent, and in which batch the earlier one was paid (behaviour 4.52)', async () => {
    const before = await paid(created, rate);
    const problem = await repeat(before);
    expect(problem).toMatchObject({
      code,
      outcome: 'done',
      repeat: 'not-sent',
      earlier: { state: 'done', id: 'batch-1' },
    });
    expect(problem.earlier?.detail).toBe(
      'This request was not sent. The earlier one under its key was paid in batch batch-1.',
    );
    expect(before.sentSince()).toBe(0);
  });
});

describe('A request that fails before its key is looked up', () => {
  it('was not sent, and has no earlier one, if its key is new or was refused', async () => {
    const { server } = await paid(answering({ title: 'No', status: 400, code: 'No' }, 400));
    for (const key of ['key', 'new']) {
      const problem = await server.refused('createBatch', { body: { ...batch, payments: [] }, key });
      expect(problem).toMatchObject({ outcome: 'not-sent' });
      expect(problem).not.toHaveProperty('earlier');
    }
  });

  it('names the earlier one of its own call only: keys of other calls and companies are others', async () => {
    const { server } = await paid(lost);
    await server.refused('createSubscription', { body: subscription, key: 'other' });
    const problem = await server.refused('createSubscription', { body: {} as never, key: 'other' });
    expect(problem).toMatchObject({ outcome: 'unknown', earlier: { state: 'unknown' } });
  });

  it('says that the earlier one could not be read if the company or the store cannot be (behaviour 4.52)', async () => {
    const { server, folder } = await paid(lost);
    const headers = { [companyHeader]: 'removed' };
    const removed = await server.refused('createBatch', { body: batch, key: 'key', headers });
    expect(removed).toMatchObject({ code: 'company-unknown', earlier: { state: 'not-read' } });
    const file = connectionTo(folder);
    file.exec('alter table writes rename to gone');
    file.close();
    const problem = await server.refused('createBatch', { body: batch, key: 'key' });
    expect(problem).toMatchObject({ code: 'store-failed', outcome: 'unknown', earlier: { state: 'not-read' } });
  });

  it('tells nothing of earlier ones without a session (behaviour 4.52)', async () => {
    const { url } = await sharedUse();
    const problem = await apiAt(url).refused('createBatch', { body: batch, key: 'key' });
    expect(problem).toMatchObject({ code: 'signed-out', outcome: 'not-sent', earlier: { state: 'not-read' } });
    expect(problem.earlier?.detail).toContain('This request was not sent.');
  });

  it('tells nothing of earlier ones to another origin', async () => {
    const { server } = await paid(lost);
    const problem = await server.refused('createBatch', {
      body: batch,
      key: 'key',
      headers: { origin: 'http://evil.example' },
    });
    expect(problem).toMatchObject({ code: 'forbidden' });
    expect(problem).not.toHaveProperty('earlier');
  });
});

it('A repeat that cannot be stored is not sent, and its outcome is unknown; one that is done gets its answer (behaviour 4.52)', async () => {
  const before = await paid(lost);
  const file = connectionTo(before.folder);
  file.exec(`create trigger full before update on writes begin select raise(abort, 'full'); end`);
  const problem = await before.server.refused('createBatch', { body: batch, key: 'key' });
  expect(problem).toMatchObject({ code: 'store-failed', outcome: 'unknown', repeat: 'not-sent' });
  expect(before.sentSince()).toBe(0);
  file.exec('drop trigger full');
  file.close();

  const done = await paid(created);
  const other = connectionTo(done.folder);
  other.exec(`create trigger full before update on writes begin select raise(abort, 'full'); end`);
  other.close();
  expect((await done.server.done('createBatch', { body: batch, key: 'key' })).data.batchId).toBe('batch-1');
  expect(done.sentSince()).toBe(0);
});
