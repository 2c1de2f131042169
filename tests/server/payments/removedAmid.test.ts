import { describe, expect, it } from 'vitest';
import { createUsers } from '#server/ops/users.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { header } from '#server/upstream/wire.ts';
import { testConsole } from '#tests/support/console.ts';
import { batch, lost } from '#tests/support/consoleWithPayments.ts';
import { answering, fakeUpstream, unsignedJwt, type Script } from '#tests/support/fakeUpstream.ts';

const company = { organisationId: 'o', companyId: 'c', companySigningKey: 'k', subscriptionId: 'subscription-1' };
const made = answering({ data: { batchId: 'batch-1', status: 'Received' } }, 201);
const refused = answering({ title: 'Refused', status: 422, detail: 'The debtor is unknown', code: 'No' }, 422);

/** A payment whose user is removed when the service is asked for its token, or is sent it; then the user comes back. */
async function removedAmid(when: 'token' | 'payment', answer: Script, what: 'user' | 'company' = 'user') {
  let isRemoved = false;
  const remove = async () => {
    const { storage, store } = server;
    if (!isRemoved && what === 'company') await store.companies.remove(store.companyKey);
    else if (!isRemoved) await createUsers({ storage, issuer: undefined }).remove(store.workspace);
    isRemoved = true;
  };
  const service = await fakeUpstream({
    [endpoints.accessToken]: async (...exchange) => {
      if (when === 'token') await remove();
      await answering({ jwt: unsignedJwt(0, { exp: Math.floor(Date.now() / 1000) + 1000 }) }, 201)(...exchange);
    },
    [endpoints.batches]: async (...exchange) => {
      if (when === 'payment') await remove();
      await answer(...exchange);
    },
  });
  const server = await testConsole({ upstreamUrl: service.url });
  await server.store.settings.writeAll(company);
  const pay = (key: string) => server.call('createBatch', { body: batch, key });
  const reply = await pay('first');
  expect(isRemoved).toBe(true);
  const { records, settings } = await server.storage.workspaces.count(server.store.workspace);
  const left = { records, settings };
  await server.store.settings.writeAll(company);
  /** The number of requests, and of their keys. */
  const sent = () => {
    const keys = service.askedFor(endpoints.batches).map(({ headers }) => headers[header.idempotency.toLowerCase()]);
    return { requests: keys.length, keys: new Set(keys).size };
  };
  return { reply, left, pay, sent };
}

describe('A payment whose user is removed while', () => {
  it.each(['user', 'company'] as const)(
    'it is under way stays paid, and nothing else is stored of it: %s (threat 6.44)',
    async (what) => {
      const { reply, left, pay, sent } = await removedAmid('payment', made, what);
      expect(reply).toMatchObject({ problem: { detail: expect.stringContaining('batch-1') as string } });
      expect(left).toEqual({ records: 0, settings: what === 'user' ? 0 : 1 });
      expect(await pay('second')).toMatchObject({ problem: { code: 'paid-already', outcome: 'not-sent' } });
      // The key belongs to the company that was removed.
      const code = what === 'user' ? 'outcome-unknown' : 'paid-already';
      expect(await pay('first')).toMatchObject({ problem: { code } });
      expect(sent()).toEqual({ requests: 1, keys: 1 });
    },
  );

  it('it is under way and its answer is lost stays of unknown outcome, and is sent under its own key only (threat 6.44)', async () => {
    const { reply, pay, sent } = await removedAmid('payment', lost);
    expect(reply).toMatchObject({ problem: { outcome: 'unknown' } });
    expect(await pay('second')).toMatchObject({ problem: { code: 'paid-already', outcome: 'not-sent' } });
    expect(await pay('first')).toMatchObject({ problem: { outcome: 'unknown' } });
    expect(sent()).toEqual({ requests: 2, keys: 1 });
  });

  it('it is refused leaves its invoices free', async () => {
    const { reply, pay, sent } = await removedAmid('payment', refused);
    expect(reply).toMatchObject({ problem: { outcome: 'refused' } });
    expect(await pay('second')).toMatchObject({ problem: { outcome: 'refused' } });
    expect(sent()).toEqual({ requests: 2, keys: 2 });
  });

  it('its token is asked for is not sent, and says that there is no company', async () => {
    const { reply, pay, sent } = await removedAmid('token', made);
    expect(reply).toMatchObject({ problem: { code: 'prerequisite-missing', outcome: 'not-sent' } });
    expect(sent()).toEqual({ requests: 0, keys: 0 });
    expect(await pay('second')).toMatchObject({ ok: true });
    expect(sent()).toEqual({ requests: 1, keys: 1 });
  });
});
