import { expect, it } from 'vitest';
import { webhookSchema } from '#contract/message.ts';
import { removedUnread } from '#server/webhooks/inbox.ts';
import { testConsole } from '#tests/support/console.ts';
import { deliver as sendTo, type Delivery as Signed } from '#tests/support/deliverWebhook.ts';
import { fakeUpstream } from '#tests/support/fakeUpstream.ts';
import { memoryInUse } from '#tests/support/memory.ts';
import { randomFrom, seedOf } from '#tests/support/random.ts';
import { runsOf } from '#tests/support/runCounts.ts';

/** `npm run deliveries` makes 10,000. */
const runs = runsOf(200);
const seed = seedOf(process.env);
const subscriptionId = 'subscription-1';

interface Delivery extends Signed {
  /** Whether it may take effect. */
  valid: boolean;
  id: string;
  body: string;
}

/** A query result with one creditor, whose id is that of the webhook. */
const listing = (id: string, more = {}) =>
  JSON.stringify({
    type: 'creditorlistqueryresponses',
    subscriptionId,
    data: { creditors: [{ creditorId: id, subscriptionId, creditor: { name: id }, ...more }] },
  });

/** Deliveries of all kinds in random order; many valid ones several times. */
function deliveries(random: () => number): Delivery[] {
  const some: Delivery[] = Array.from({ length: Math.ceil(runs * 0.7) }, (_, index) => {
    const kind = random();
    const id = `${kind < 0.6 ? 'valid' : 'invalid'}-${index}`;
    const body = listing(id);
    if (kind < 0.59) return { valid: true, id, body };
    if (kind < 0.6) return { valid: true, id, body: listing(id, { note: 'x'.repeat(1024 ** 2) }) };
    if (kind < 0.7) return { valid: false, id, body, secret: 'whsec_c29tZWJvZHkgZWxzZQ==' };
    if (kind < 0.8) return { valid: false, id, body, at: new Date(Date.now() - 3_600_000) };
    if (kind < 0.9) return { valid: false, id, body: body.slice(0, -random() * 20 - 1) };
    return { valid: false, id, body, headers: { 'x-webhook-key': 'guessed' } };
  });
  const again = Array.from({ length: runs - some.length }, () => some[Math.floor(random() * some.length)]!);
  return (
    [...some, ...again]
      // Large webhooks come after the query, because three of them fill the list in the settings.
      .map((each) => ({ each, at: random() + (each.body.length > 1024 ** 2 ? 1 : 0) }))
      .sort((a, b) => a.at - b.at)
      .map(({ each }) => each)
  );
}

it('Of many webhooks, each valid one takes effect once, invalid ones none, and memory stays stable (threat 5.6)', async () => {
  console.log(`SEED=${seed} RUNS=${runs}`);
  const random = randomFrom(seed);
  const service = await fakeUpstream({ '/api-msg-v1': (response) => void response.writeHead(202).end() });
  const server = await testConsole({ upstreamUrl: service.url, rate: { perSecond: 1e6, burst: 1e6 } });
  await server.store.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k', subscriptionId });

  const deliver = async ({ body, ...signed }: Delivery) => (await sendTo(server.url, body, signed)).status;

  const all = deliveries(random);
  const middle = Math.floor(all.length / 2);
  const statuses = new Map<string, number>();
  const memory: number[] = [];
  const lanes = Array.from({ length: 8 }, async (_, lane) => {
    for (let index = lane; index < all.length; index += 8) {
      const delivery = all[index]!;
      const status = await deliver(delivery);
      const outcome = `${delivery.valid ? 'valid' : 'invalid'} ${status}`;
      statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1);
      if (index % Math.ceil(runs / 10) === 0) memory.push(memoryInUse());
    }
  });

  // Meanwhile a page sends a query and waits.
  const { messageId } = await server.done('queryCreditors', { body: { data: { subscriptionId } } });
  const answer = `answer-${middle}`;
  expect(await deliver({ valid: true, id: answer, body: listing(answer) })).toBe(204);
  const { webhookData } = await server.done('getSettings');
  expect(
    webhookSchema
      .array()
      .parse(JSON.parse(webhookData))
      .map(({ id }) => id),
  ).toContain(answer);
  await Promise.all(lanes);

  expect([...statuses.keys()].sort()).toEqual(['invalid 400', 'invalid 403', 'valid 204']);
  const valid = new Set(all.filter((each) => each.valid).map(({ id }) => id)).add(answer);
  const kept = (await server.store.webhooks.list()).map(({ id }) => id);
  // The first list after the query can be read.
  const query = await server.done('getMessage', { params: { resourceId: messageId } });
  expect(query.data).toMatchObject({ state: 'accepted', webhook: { type: 'creditorlistqueryresponses' } });
  expect(kept).toContain(query.data.webhook!.id);
  expect(kept.filter((id) => !valid.has(id))).toEqual([]);
  expect(kept.length + (await removedUnread(server.store))).toBe(valid.size);
  expect(new Set((await server.store.creditors.list()).map(({ creditorId }) => creditorId))).toEqual(valid);
  const [early = 0, late = 0] = [memory[2], memory.at(-1)];
  console.log({ ...Object.fromEntries(statuses), kept: kept.length, memory: (late / early).toFixed(2) });
  expect(late / early).toBeLessThan(1.5);
}, 900_000);
