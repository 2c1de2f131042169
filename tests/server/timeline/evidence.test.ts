import { describe, expect, it } from 'vitest';
import type { TimelineEntry } from '#contract/timeline.ts';
import { batchEvents } from '#app/journey/timelineEvents.ts';
import { paymentForm } from '#rules/field.ts';
import { notificationsPath } from '#server/http/paths.ts';
import { evidenceAbout, evidenceRecords, keepEvidence } from '#server/timeline/evidence.ts';
import { companyBody, organisationBody } from '#tests/support/bodies.ts';
import { selectCompany } from '#tests/support/companies.ts';
import { testConsole, testSandbox } from '#tests/support/console.ts';
import { eventually } from '#tests/support/eventually.ts';
import { batchIn, onboard, pay, subscribe } from '#tests/support/guidedPath.ts';
import { storageIn } from '#tests/support/store.ts';
import { timelineEntry } from '#tests/support/timelineEntry.ts';

/** A console whose timeline has room for a few entries. */
const consoleWith = (entries: number) =>
  testConsole({
    entries,
    upstreamUrl: async (url) => (await testSandbox({ webhookUrl: url + notificationsPath })).url,
  });
type Server = Awaited<ReturnType<typeof consoleWith>>;

const about = async ({ done, timelines }: Server, id: string, kind = 'service,webhook') => {
  await timelines.flush();
  return done('getTimeline', { query: { text: id, kind, limit: '100' } });
};
const written = (entries: readonly TimelineEntry[]) => entries.filter(({ method }) => method !== 'GET');

/** Reads the page's own calls until all of the timeline has been pushed out. */
async function read({ done, timelines }: Server, times: number) {
  for (let turn = 0; turn < times; turn += 1) await done('getFacts');
  await timelines.flush();
}

describe('The writes and webhooks of a record', () => {
  it('outlast the timeline, so that the history of a batch keeps its beginning (behaviour 10.15.5)', async () => {
    const server = await consoleWith(40);
    await onboard(server);
    const { subscriptionId, rules } = await subscribe(server);
    const batchId = await pay(server, subscriptionId, paymentForm(rules));
    await batchIn(server, 'Completed', batchId);
    // The page may read a status before its webhook arrives; webhooks may overtake each other.
    const before = await eventually(async () => {
      const { data } = await about(server, batchId);
      const told = data.filter(({ kind }) => kind === 'webhook').map(({ request }) => request.body);
      for (const status of ['Processing', 'Completed'])
        expect(told).toContainEqual(expect.stringContaining(`"${status}"`));
      return data;
    });
    await read(server, 60);
    const { data } = await server.done('getTimeline', { query: { limit: '100' } });
    expect([data.length <= 40, written(data).some(({ url }) => url.endsWith('/batchpayments'))]).toEqual([true, true]);
    // Other writes push that of the batch out of the timeline as well.
    for (let turn = 0; turn < 50; turn += 1)
      await server.done('sendUpdate', {
        body: {
          data: { resource: 'Subscription', id: subscriptionId, subscriptionId, properties: { turn } },
          whilePending: 'send',
        },
      });
    await server.timelines.flush();
    const kept = await about(server, batchId);
    expect(kept.data.filter(({ kind }) => kind === 'webhook').length).toBe(
      before.filter(({ kind }) => kind === 'webhook').length,
    );
    const events = batchEvents(kept.data);
    expect(events[0]?.what).toBe('Sent');
    // A status that only the page's reading told goes with that reading.
    const told = before.filter((each) => each.kind === 'webhook' || each.method !== 'GET');
    expect(events.map(({ what }) => what)).toEqual(batchEvents(told).map(({ what }) => what));
    // The call that created the subscription is named, not a later one that mentions it.
    const ofSubscription = await about(server, subscriptionId);
    const created = ofSubscription.data.find(({ interactionId }) => interactionId === ofSubscription.createdBy);
    expect(created?.url).toMatch(/\/subscriptions$/);
  }, 60_000);

  it('are named by the write that created the record, for each of several companies (behaviour 10.14.2)', async () => {
    const server = await consoleWith(1000);
    await server.done('createOrganisation', { body: organisationBody });
    const ids: string[] = [];
    for (const name of ['One', 'Two', 'Three'])
      ids.push((await server.done('createCompany', { body: companyBody(name) })).companyId);
    const last = await about(server, ids[2]!);
    expect(written(last.data).find(({ interactionId }) => interactionId === last.createdBy)?.request.body).toContain(
      'Three',
    );
    const [one] = (await server.done('getFacts')).companies;
    await selectCompany(server, one!);
    const first = await about(server, ids[0]!);
    expect(written(first.data).find(({ interactionId }) => interactionId === first.createdBy)?.request.body).toContain(
      'One',
    );
    // Another company's record is none of this one's.
    expect(await about(server, ids[1]!)).not.toHaveProperty('createdBy');
    expect(await about(server, 'unknown')).not.toHaveProperty('createdBy');
  });

  it('are forgotten with a removed record, and bounded for each record', async () => {
    const storage = await storageIn();
    const records = storage.records(evidenceRecords, { workspace: 'w', companyKey: '' });
    const of = (id: number, more: Partial<TimelineEntry> = {}) =>
      timelineEntry({
        id: String(id),
        kind: 'webhook',
        status: 204,
        interactionId: `hook-${id}`,
        request: { headers: {}, body: '{"resource":{"id":"batch-1"}}', bytes: 1 },
        ...more,
      });
    // A webhook about what was never written is not kept, so that a sender of webhooks cannot fill the store.
    await keepEvidence(records, [of(1)]);
    expect(await evidenceAbout(records, 'batch-1')).toEqual([]);
    const posting = of(2, {
      kind: 'service',
      method: 'POST',
      status: 201,
      interactionId: 'posting',
      response: { headers: {}, body: '{"data":{"batchId":"batch-1"}}', bytes: 1 },
    });
    await keepEvidence(records, [posting]);
    for (let from = 3; from < 303; from += 25)
      await keepEvidence(
        records,
        Array.from({ length: 25 }, (_, index) => of(from + index)),
      );
    const kept = await evidenceAbout(records, 'batch-1');
    expect([kept.length <= 125, kept[0], kept.at(-1)?.id]).toEqual([true, posting, '302']);
    expect(await evidenceAbout(records, 'posting')).toEqual([posting]);
  });
});
