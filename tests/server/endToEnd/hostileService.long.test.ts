import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calls } from '#contract/calls.ts';
import { problemSchema } from '#contract/problem.ts';
import { systemClock } from '#server/clock.ts';
import { firstCompany } from '#server/companies/companyList.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { messageKinds } from '#server/upstream/wire.ts';
import { testConsole } from '#tests/support/console.ts';
import { fakeUpstream, unsignedJwt, type Script } from '#tests/support/fakeUpstream.ts';
import { answersFrom, extremeAnswers, type HostileAnswer } from '#tests/support/hostileAnswers.ts';
import { askingCalls, someId, type AskingCall } from '#tests/support/hostileCalls.ts';
import { memoryInUse } from '#tests/support/memory.ts';
import { seedOf } from '#tests/support/random.ts';
import { expectReadable, longestAnswer } from '#tests/support/readableRecords.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';
import { watchStalls } from '#tests/support/stalls.ts';
import { runsOf } from '#tests/support/runCounts.ts';
import { deliver } from '#tests/support/deliverWebhook.ts';
import { deliveryTexts, known, longest } from '#tests/support/hostileWebhooks.ts';
import { keptMessage } from '#tests/support/messages.ts';

/** `npm run fuzz` makes 10,000 answers. */
const runs = runsOf(75);
const seed = seedOf(process.env);
/** ms, bytes. */
const [longestStall, mostGrowth] = [1000, 64 * 1024 * 1024];

const asking = Object.keys(askingCalls('', '')) as AskingCall[]; // its own keys
const signingKey = 'the-company-signing-key';
const [subscriptionId, batchId] = ['subscription-1', 'batch-1'];

/** A console at a service that gives one response to everything, also to token requests if `tokens` is set. */
async function facing() {
  let [next, hostileTokens, passed]: [HostileAnswer, boolean, number] = [{ status: 200, text: '{}' }, false, 0];
  const send =
    (answer: () => HostileAnswer): Script =>
    (response) =>
      void response.writeHead(answer().status, { 'content-type': 'application/json' }).end(answer().text);
  const token = { status: 200, text: JSON.stringify({ jwt: unsignedJwt(1_000_000_000) }) };
  const service = await fakeUpstream({
    '/': send(() => next),
    [endpoints.accessToken]: send(() => (hostileTokens ? next : token)),
  });
  const server = await testConsole({
    upstreamUrl: service.url,
    rate: { perSecond: 1_000_000, burst: 1_000_000 },
    limits: { backOff: 1, budget: 1 },
    // The console caches responses of the service for a minute.
    clock: { ...systemClock, now: () => systemClock.now() + passed, steady: () => systemClock.steady() + passed },
  });
  const { store } = server;

  /** Restores the initial records, and moves the clock by more than a minute so that caches expire. */
  async function reset(): Promise<void> {
    passed += 61_000;
    for (const { companyKey } of await store.companies.list())
      if (companyKey !== firstCompany) await store.companies.remove(companyKey);
    await store.companies.select(firstCompany);
    const userJwt = unsignedJwt(1_000_000_000);
    await store.settings.writeAll({
      organisationId: 'o',
      companyId: 'c',
      companySigningKey: signingKey,
      userJwt,
      subscriptionId,
      batchId,
    });
    const record = { subscriptionId, providerId: 'p', status: 'Received', suspended: false, useMock: 'true' };
    await store.subscriptions.put(subscriptionId, record);
    const postedAt = new Date().toISOString();
    await store.batches.put(batchId, { batchId, status: 'x', amount: '1.00 GBP', kind: 'electronic', postedAt });
    await store.logins.put('state', { startedAt: systemClock.steady() + passed });
    await store.messages.removeAll((await store.messages.list()).map(({ messageId }) => messageId));
    await store.writes.forgetAll(store.workspace);
  }
  await reset();

  let own = 0;
  /** Makes this call while the service gives this response. */
  async function ask(name: AskingCall, answer: HostileAnswer, tokens: boolean) {
    [next, hostileTokens] = [answer, tokens];
    const id = `${someId}-${(own += 1)}`;
    const { method, path } = calls[name];
    const request: { params?: object; body?: object } = askingCalls(service.url, id)[name];
    const values: Record<string, unknown> = { ...request.params };
    const filled = path.replace(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(String(values[part])));
    const body = JSON.stringify(request.body)?.replace('TOKEN', unsignedJwt());
    const response = await fetch(server.url + filled, {
      method,
      headers: { 'content-type': 'application/json', 'idempotency-key': id },
      ...(body !== undefined && { body }),
    });
    const said = await response.text();
    [next, hostileTokens] = [{ status: 404, text: '{}' }, false];
    return { response, said };
  }
  return { ...server, ask, reset };
}

describe('A hostile service', () => {
  it(
    'that sends random responses to any call is reported in short problems in time, and memory is stable (threat 3.14)',
    { timeout: 1_800_000 },
    async () => {
      console.log(`SEED=${seed} RUNS=${runs}`);
      const server = await facing();
      const stalls = watchStalls();
      const secrets = [sandboxCredentials.apiKey, sandboxCredentials.signingKey, signingKey];
      const seen = new Map<string, number>();
      let done = 0;
      let before = Infinity;

      const check = async (name: AskingCall, answer: HostileAnswer, tokens: boolean) => {
        stalls.longest();
        const { response, said } = await server.ask(name, answer, tokens);
        const stall = stalls.longest();
        seen.set(`${response.status}`, (seen.get(`${response.status}`) ?? 0) + 1);
        expect(stall, name).toBeLessThan(longestStall);
        expect(said.length, name).toBeLessThan(Math.max(longestAnswer, 2 * answer.text.length));
        for (const secret of secrets) expect(said).not.toContain(secret);
        if (!response.ok) {
          expect(said.length, name).toBeLessThan(200_000);
          const problem = problemSchema.parse(JSON.parse(said));
          expect(problem.code, `${name} ${problem.detail}`).not.toBe('internal');
        }
        done += 1;
        if (done % 10 === 0 || answer.text.length > 500_000) await expectReadable(server);
        await server.reset();
        if (done === Math.floor(runs / 3)) before = memoryInUse();
        if (done % 100 === 0) await pause(1);
      };

      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...asking), answersFrom(sandboxCredentials.apiKey), fc.nat(6), (...given) =>
          check(given[0], given[1], given[2] === 0),
        ),
        { seed, numRuns: runs, endOnFailure: runs > 1000 },
      );
      console.table(Object.fromEntries([...seen].sort()));
      for (const status of ['200', '502']) expect(seen.get(status) ?? 0, status).toBeGreaterThan(0);
      expect(memoryInUse() - before).toBeLessThan(mostGrowth);
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    },
  );

  it.each(asking)(
    'that answers %s with the largest responses blocks the event loop for less than a second (threat 3.13)',
    async (name) => {
      const server = await facing();
      const stalls = watchStalls();
      // Long runs combine every response with every call, others every response with some calls.
      const [lists, texts] = runs > 1000 ? [1, 1] : [12, 4];
      for (const [index, answer] of extremeAnswers.entries()) {
        if ((index + asking.indexOf(name)) % (answer.text.includes('[') ? lists : texts) > 0) continue;
        stalls.longest();
        const { response, said } = await server.ask(name, answer, false);
        const what = `${answer.text.slice(0, 60)}: ${response.status} ${said.slice(0, 200)}`;
        expect(stalls.longest(), what).toBeLessThan(longestStall);
        expect(said.length, what).toBeLessThan(Math.max(longestAnswer, 2 * answer.text.length));
        if (!response.ok) expect(problemSchema.parse(JSON.parse(said)).code, what).not.toBe('internal');
        await expectReadable(server);
        await server.reset();
      }
    },
    600_000,
  );
});

/** `npm run fuzz` makes 10,000 deliveries. */
const deliveries = runsOf(100);
/** ms */
const longestWebhookStall = 1000;
const rate = { perSecond: 1_000_000, burst: 1_000_000 };
const { subscription: knownSubscription, batch: knownBatch, debtor, creditor } = known;

/** A console with a pending message of each kind, at a service that answers with `next` while it is set. */
async function awaiting() {
  let next: { status: number; text: string } | undefined;
  const right =
    (value: object): Script =>
    (response) => {
      const { status, text } = next ?? { status: 200, text: JSON.stringify(value) };
      response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    };
  const service = await fakeUpstream({
    [endpoints.subscriptions]: right({
      data: { subscriptionId: knownSubscription, providerId: 'p', status: 'Authorised' },
    }),
    [endpoints.batches]: right({ data: { batchId: knownBatch, status: 'Completed' } }),
  });
  const { header, secret } = { header: sandboxCredentials.webhookHeader, secret: sandboxCredentials.webhookSecret };
  const server = await testConsole({
    upstreamUrl: service.url,
    rate,
    limits: { backOff: 1, budget: 1 },
    changes: { webhook: { header, secret } },
  });
  const { store } = server;
  await store.settings.writeAll({
    organisationId: 'o',
    companyId: 'c',
    companySigningKey: 'k',
    subscriptionId: knownSubscription,
  });
  const sentAt = new Date().toISOString();
  const record = {
    subscriptionId: knownSubscription,
    providerId: 'p',
    status: 'Received',
    suspended: false,
    useMock: 'true',
  };
  await store.subscriptions.put(knownSubscription, record);
  await store.batches.put(knownBatch, {
    batchId: knownBatch,
    status: 'Received',
    amount: '1.00 GBP',
    kind: 'electronic',
    postedAt: sentAt,
  });
  async function wait(): Promise<void> {
    await store.messages.putAll(
      messageKinds.map((kind) => {
        const resourceId = kind.startsWith('debtor')
          ? debtor
          : kind.startsWith('creditor')
            ? creditor
            : knownSubscription;
        const messageId = known.message(kind);
        return [messageId, keptMessage({ messageId, kind, resourceId, subscriptionId: knownSubscription, sentAt })];
      }),
    );
  }
  return { ...server, wait, answerWith: (answer: typeof next) => void (next = answer) };
}

describe('Authentic webhooks', () => {
  it(
    'with random content are accepted or refused in time, and all records stay readable (threat 5.8)',
    { timeout: 1_800_000 },
    async () => {
      console.log(`SEED=${seed} RUNS=${deliveries}`);
      const server = await awaiting();
      const stalls = watchStalls();
      const seen = new Map<string, number>();
      let done = 0;
      const ids = fc.oneof(
        { weight: 8, arbitrary: fc.uuid() },
        { weight: 1, arbitrary: fc.constantFrom('again', '__proto__', 'a/b', 'x'.repeat(4000)) },
      );
      const answers = fc.option(answersFrom(sandboxCredentials.apiKey), { freq: 3, nil: undefined });

      await fc.assert(
        fc.asyncProperty(deliveryTexts, ids, answers, async (text, id, answer) => {
          await server.wait();
          server.answerWith(answer);
          stalls.longest();
          const response = await deliver(server.url, text, { id });
          const said = await response.text();
          const stall = stalls.longest();
          server.answerWith(undefined);
          const { status } = response;
          seen.set(`${status}`, (seen.get(`${status}`) ?? 0) + 1);
          expect(stall).toBeLessThan(longestWebhookStall);
          expect(status, said).not.toBe(403);
          // An escape sequence counts as one character.
          expect(said.replaceAll(/\\u[\da-f]{4}/g, '?').length).toBeLessThan(20_000);
          if (!response.ok) {
            const { code } = problemSchema.parse(JSON.parse(said));
            if (status >= 500) expect(code, said).toMatch(/^upstream-/);
          }
          done += 1;
          if (done % 50 === 0) {
            await expectReadable(server);
            const { debtors, creditors } = server.store;
            await debtors.removeAll((await debtors.list()).map(({ debtorId }) => debtorId));
            await creditors.removeAll((await creditors.list()).map(({ creditorId }) => creditorId));
          }
        }),
        { seed, numRuns: deliveries, endOnFailure: deliveries > 1000 },
      );
      console.table(Object.fromEntries([...seen].sort()));
      for (const status of ['204', '400', '502']) expect(seen.get(status) ?? 0, status).toBeGreaterThan(0);
      await expectReadable(server);
    },
  );

  it.each(longest.map((text) => [`${text.slice(0, 120)}…`, text]))(
    'with the longest lists block the event loop for less than a second: %s (threat 5.8)',
    { timeout: 600_000 },
    async (_, text) => {
      const server = await awaiting();
      await server.wait();
      const stalls = watchStalls();
      expect((await deliver(server.url, text)).status).toBe(204);
      expect(stalls.longest()).toBeLessThan(longestWebhookStall);
      await expectReadable(server);
      expect(stalls.longest()).toBeLessThan(longestWebhookStall);
    },
  );
});
