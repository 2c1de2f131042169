import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { companyHeader } from '#contract/constants.ts';
import { systemClock } from '#server/clock.ts';
import { eventsPath } from '#server/api/events.ts';
import { createSessions } from '#server/auth/sessions.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { removedUnread } from '#server/webhooks/inbox.ts';
import { eventually } from '#tests/support/eventually.ts';
import { apiAt } from '#tests/support/api.ts';
import { testConsole } from '#tests/support/console.ts';
import { deliver } from '#tests/support/deliverWebhook.ts';
import { eventsIn } from '#tests/support/eventStream.ts';
import { fakeUpstream, type Script } from '#tests/support/fakeUpstream.ts';
import { executionDate } from '#tests/support/executionDate.ts';
import { paid } from '#tests/support/fixtures.ts';
import { identityProvider, type Behaviour } from '#tests/support/identityProvider.ts';
import { making } from '#tests/support/consoleWithPayments.ts';
import { randomFrom, seedOf } from '#tests/support/random.ts';
import { runsOf } from '#tests/support/runCounts.ts';
import { severalConsoles, storesInPostgres } from '#tests/support/severalServers.ts';
import { sharedUse } from '#tests/support/consoleWithUsers.ts';

const subscriptionId = 'subscription-1';
const batch = { externalId: 'e', ...paid, requestedExecutionDateTime: executionDate };

/** Three servers whose clocks differ by a minute each, and a service with this script for batches. */
async function servers(script: Script = making()) {
  const service = await fakeUpstream({
    [endpoints.batches]: script,
    '/api-msg-v1': (response) => void response.writeHead(202).end(),
  });
  const all = await severalConsoles((index) => ({
    upstreamUrl: service.url,
    rate: { perSecond: 1e6, burst: 1e6 },
    clock: { ...systemClock, now: () => Date.now() + (index - 1) * 60_000 },
  }));
  await all[0].store.settings.writeAll({
    organisationId: 'o',
    companyId: 'c',
    companySigningKey: 'k',
    subscriptionId,
  });
  return { all, sent: () => service.askedFor(endpoints.batches) };
}

const list = (id: string) =>
  JSON.stringify({
    type: 'creditorlistqueryresponses',
    subscriptionId,
    data: { creditors: [{ creditorId: id, subscriptionId, creditor: { name: id } }] },
  });

describe('Three servers on one database', () => {
  it('send a write once that all of them receive under one key', async () => {
    const { all, sent } = await servers();
    const key = randomUUID();
    const answers = await Promise.all(
      [...all, ...all].map(({ done }) => done('createBatch', { body: { ...batch, externalId: key }, key })),
    );
    expect(new Set(answers.map(({ data }) => data.batchId)).size).toBe(1);
    expect(sent()).toHaveLength(1);
  });

  it('accept one of several payments of an invoice under different keys', async () => {
    const { all, sent } = await servers();
    const replies = await Promise.all(
      all.map(({ call }, index) =>
        call('createBatch', { body: { ...batch, externalId: `e${index}` }, key: randomUUID() }),
      ),
    );
    expect(replies.filter(({ ok }) => ok)).toHaveLength(1);
    expect(replies.flatMap((reply) => (reply.ok ? [] : [reply.problem.code]))).toHaveLength(2);
    expect(sent()).toHaveLength(1);
  });

  it('repeat a write with an unknown outcome at another server at once, under its key', async () => {
    let lost = 1;
    const make = making();
    const { all, sent } = await servers((response, asked) =>
      (lost -= 1) >= 0 ? void response.destroy() : make(response, asked),
    );
    const [one, other] = all;
    const key = randomUUID();
    const request = { body: { ...batch, externalId: key }, key };
    expect(await one.refused('createBatch', request)).toMatchObject({ outcome: 'unknown' });
    const started = performance.now();
    const { data } = await other.done('createBatch', request);
    expect(performance.now() - started).toBeLessThan(3000);
    expect((await one.done('createBatch', request)).data).toMatchObject({ batchId: data.batchId });
    expect(new Set(sent().map(({ headers }) => headers['x-idempotency-key'])).size).toBe(1);
  });

  it('send an event to a page at one server after a webhook at another', async () => {
    const [here, there] = (await servers()).all;
    const { messageId } = await here.done('queryCreditors', { body: { data: { subscriptionId } } });
    const params = { resourceId: messageId };
    const given = await here.call('getMessage', { params });
    const [tag, companyKey] = [given.headers.get('etag')!, given.headers.get(companyHeader)!];
    const known = { params, headers: { 'if-none-match': tag, [companyHeader]: companyKey } };
    expect((await here.call('getMessage', known)).status).toBe(304);
    const stream = eventsIn(await fetch(here.url + eventsPath));
    onTestFinished(stream.leave);
    expect((await deliver(there.url, list('creditor-1'))).status).toBe(204);
    let event = await stream.next();
    while (event && event.event !== 'news') event = await stream.next();
    expect(event).toMatchObject({ data: JSON.stringify({ id: messageId }) });
    const answer = await eventually(async () => {
      const reply = await here.call('getMessage', known);
      expect(reply.status).toBe(200);
      return reply;
    });
    expect(answer).toMatchObject({ answer: { data: { state: 'accepted' } } });
  });

  it('read a setting immediately after another server has written it', async () => {
    const { all } = await servers();
    for (let turn = 0; turn < 6; turn += 1) {
      const value = ['GB', 'US', 'CA'][turn % 3]!;
      await all[turn % 3]!.done('setSetting', { body: { key: 'providerCountry', value } });
      for (const { done } of all) expect(await done('getSettings')).toMatchObject({ providerCountry: value });
    }
  });

  it('apply each webhook once, whichever of them receives its deliveries, in any order, among forgeries (threat 5.6)', async () => {
    const runs = runsOf(120);
    const seed = seedOf(process.env);
    console.log(`SEED=${seed} RUNS=${runs}`);
    const random = randomFrom(seed);
    const { all } = await servers();
    const ids = Array.from({ length: Math.ceil(runs * 0.7) }, (_, index) => `creditor-${index}`);
    const again = Array.from({ length: runs - ids.length }, () => ids[Math.floor(random() * ids.length)]!);
    const order = [...ids, ...again].map((id) => ({ id, at: random() })).sort((a, b) => a.at - b.at);
    await Promise.all(
      Array.from({ length: 9 }, async (_, lane) => {
        for (let index = lane; index < order.length; index += 9) {
          const { id } = order[index]!;
          const { status } = await deliver(all[Math.floor(random() * 3)]!.url, list(id), { id });
          expect(status).toBe(204);
          const forged = { id: `forged-${index}`, secret: 'whsec_c29tZWJvZHkgZWxzZQ==' };
          expect((await deliver(all[index % 3]!.url, list(forged.id), forged)).status).toBe(403);
        }
      }),
    );
    for (const { store } of all) {
      const kept = await store.webhooks.list();
      expect(kept.length + (await removedUnread(store))).toBe(ids.length);
      expect(new Set(kept.map(({ id }) => id)).size).toBe(kept.length);
      expect((await store.creditors.list()).map(({ creditorId }) => creditorId).sort()).toEqual([...ids].sort());
    }
  }, 900_000);
});

/** Two servers with sign-in; the API of a user at each, and the user's session. */
async function signedInAtTwo(behaviour: Behaviour = {}) {
  storesInPostgres();
  const one = await sharedUse({ provider: (url) => identityProvider(url, behaviour) });
  const service = await fakeUpstream({});
  const access = one.config.access!;
  const other = await testConsole({
    upstreamUrl: service.url,
    folder: one.folder,
    access: () => Promise.resolve(access),
  });
  const ada = await one.signedIn('ada');
  const cookie = [...ada.cookiesFor(one.url)].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = { cookie, host: new URL(one.url).host };
  const sessions = createSessions(one.storage, systemClock);
  return { here: ada, there: apiAt(other.url, () => headers), sessions, key: sessions.keyOf(cookie.split('=')[1]!) };
}

it('A session begun at one server is valid at another, and ends there too', async () => {
  const { there, sessions, key } = await signedInAtTwo();
  expect((await there.call('getSettings')).status).toBe(200);
  await sessions.end(key);
  expect((await there.call('getSettings')).status).toBe(401);
});

it('Two servers recheck a user once at a time, with a single-use refresh token', async () => {
  const asked: string[] = [];
  const { here, there, sessions, key } = await signedInAtTwo({ refreshes: true, asked });
  for (let round = 0; round < 5; round += 1) {
    const before = systemClock.steady() - 150_000;
    await sessions.change(key, { askedAt: before, confirmedAt: before });
    asked.splice(0);
    const answers = await Promise.all([here, there, here, there].map(({ call }) => call('getSettings')));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    // Its metadata and keys are read seldom.
    expect(asked.filter((path) => path !== '/jwks' && !path.startsWith('/.well-known/'))).toEqual(['/token', '/me']);
  }
});
