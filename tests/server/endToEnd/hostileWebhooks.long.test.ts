import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { problemSchema } from '#contract/problem.ts';
import { endpoints, messageKinds } from '#server/upstream/wire.ts';
import { testConsole } from '#tests/support/console.ts';
import { deliver } from '#tests/support/deliverWebhook.ts';
import { fakeUpstream, type Script } from '#tests/support/fakeUpstream.ts';
import { answersFrom } from '#tests/support/hostileAnswers.ts';
import { deliveryTexts, known, longest } from '#tests/support/hostileWebhooks.ts';
import { keptMessage } from '#tests/support/messages.ts';
import { seedOf } from '#tests/support/random.ts';
import { expectReadable } from '#tests/support/readableRecords.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';
import { watchStalls } from '#tests/support/stalls.ts';
import { runsOf } from '#tests/support/runCounts.ts';

/** `npm run fuzz` makes 10,000 deliveries. */
const runs = runsOf(100);
const seed = seedOf(process.env);
/** ms */
const longestStall = 1000;
const rate = { perSecond: 1_000_000, burst: 1_000_000 };
const { subscription: subscriptionId, batch: batchId, debtor, creditor } = known;

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
    [endpoints.subscriptions]: right({ data: { subscriptionId, providerId: 'p', status: 'Authorised' } }),
    [endpoints.batches]: right({ data: { batchId, status: 'Completed' } }),
  });
  const { header, secret } = { header: sandboxCredentials.webhookHeader, secret: sandboxCredentials.webhookSecret };
  const server = await testConsole({
    upstreamUrl: service.url,
    rate,
    limits: { backOff: 1, budget: 1 },
    changes: { webhook: { header, secret } },
  });
  const { store } = server;
  await store.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k', subscriptionId });
  const sentAt = new Date().toISOString();
  const record = { subscriptionId, providerId: 'p', status: 'Received', suspended: false, useMock: 'true' };
  await store.subscriptions.put(subscriptionId, record);
  await store.batches.put(batchId, {
    batchId,
    status: 'Received',
    amount: '1.00 GBP',
    kind: 'electronic',
    postedAt: sentAt,
  });
  async function wait(): Promise<void> {
    await store.messages.putAll(
      messageKinds.map((kind) => {
        const resourceId = kind.startsWith('debtor') ? debtor : kind.startsWith('creditor') ? creditor : subscriptionId;
        const messageId = known.message(kind);
        return [messageId, keptMessage({ messageId, kind, resourceId, subscriptionId, sentAt })];
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
      console.log(`SEED=${seed} RUNS=${runs}`);
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
          expect(stall).toBeLessThan(longestStall);
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
        { seed, numRuns: runs, endOnFailure: runs > 1000 },
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
      expect(stalls.longest()).toBeLessThan(longestStall);
      await expectReadable(server);
      expect(stalls.longest()).toBeLessThan(longestStall);
    },
  );
});
