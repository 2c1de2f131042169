import Koa from 'koa';
import { describe, expect, it } from 'vitest';
import { createSandbox } from '#server/sandbox/createSandbox.ts';
import { createRecordBudget, weightOf } from '#server/sandbox/records/budget.ts';
import { notesOf } from '#server/sandbox/records/call.ts';
import { header } from '#server/upstream/wire.ts';
import { listening } from '#tests/support/listen.ts';
import { recorderOf } from '../recorderDouble.ts';

const MB = 1024 * 1024;
const delivery = (length: number) => ({
  at: 0,
  ms: 0,
  status: 204,
  outcome: '',
  headers: {},
  body: JSON.stringify({ type: 'batchUpdated', filling: 'x'.repeat(length) }),
});

describe('The records of a sandbox', () => {
  it('hold at most 64 MB of refused calls with long bodies, the latest ones (threat 6.35)', async () => {
    const sandbox = await createSandbox();
    const { url } = sandbox;
    for (let turn = 1; turn <= 12; turn += 1) {
      const body = JSON.stringify({ turn, filling: 'x'.repeat(4 * MB) });
      const request = new Request(`${url}/v3/batchpayments`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      });
      expect((await sandbox.fetch(request)).status).toBeGreaterThanOrEqual(400);
    }
    const calls = sandbox.calls();
    const characters = calls.reduce((sum, { body, response }) => sum + body.length + response.body.length, 0);
    expect(characters).toBeLessThan(32 * MB);
    expect(calls.at(-1)).toMatchObject({ number: 12 });
    expect((JSON.parse(calls.at(-1)!.body) as { turn: number }).turn).toBe(12);
    expect(calls.map(({ number }) => number)).toEqual(calls.map((_, at) => 13 - calls.length + at));
    await sandbox.close();
  }, 60_000);

  it('hold at most 64 MB of all applications together (threat 6.35)', async () => {
    const sandbox = await createSandbox({ port: 0 });
    const made = async () => {
      const headers = { authorization: `Bearer ${sandbox.credentials.controlToken}` };
      const answer = await fetch(`${sandbox.url}/sandbox/applications`, { method: 'POST', headers });
      return ((await answer.json()) as { data: { url: string; credentials: { controlToken: string } } }).data;
    };
    const all = [await made(), await made(), await made()];
    for (let turn = 0; turn < 12; turn += 1)
      await fetch(`${all[turn % 3]!.url}/v3/batchpayments`, {
        method: 'POST',
        body: 'x'.repeat(4 * MB),
        headers: { 'content-type': 'application/json' },
      });
    const lists = await Promise.all(
      all.map(async ({ url, credentials }) => {
        const headers = { authorization: `Bearer ${credentials.controlToken}` };
        const answer = (await (await fetch(`${url}/sandbox/calls`, { headers })).json()) as {
          data: { body: string }[];
        };
        return answer.data.filter(({ body }) => body.length > MB).length;
      }),
    );
    const kept = lists.reduce((sum, each) => sum + each, 0);
    expect(kept).toBeLessThanOrEqual(8);
    expect(kept).toBeGreaterThan(3);
    await sandbox.close();
  }, 60_000);

  it('of webhooks drop the oldest with all their deliveries, and a long one itself (threat 6.35)', () => {
    const recorder = recorderOf({ budget: createRecordBudget(9000) });
    const ids = () => recorder.webhooks().map(({ webhookId, deliveries }) => `${webhookId}:${deliveries.length}`);
    for (const id of ['a', 'b', 'c']) recorder.addDelivery(id, undefined, delivery(1000));
    recorder.addDelivery('c', undefined, delivery(1000));
    expect(ids()).toEqual(['b:1', 'c:2']);
    recorder.addDelivery('d', undefined, delivery(20_000));
    expect(ids()).toEqual([]);
    recorder.addDelivery('e', undefined, delivery(10));
    recorder.replace({ calls: [], webhooks: [] });
    for (const id of ['f', 'g', 'h']) recorder.addDelivery(id, undefined, delivery(1000));
    expect(ids()).toEqual(['f:1', 'g:1', 'h:1']);
  });

  it('of requests hold short texts only, also of calls whose text to sign is long (threat 6.35)', async () => {
    const recorder = recorderOf({ maximum: 0 });
    const app = new Koa().use(recorder.record).use((ctx) => {
      Object.assign(notesOf(ctx), { expected: 'x'.repeat(MB), signed: 'x'.repeat(MB), mistakes: ['x'.repeat(MB)] });
      ctx.status = 401;
    });
    const handle = app.callback();
    const url = await listening((request, response) => void handle(request, response));
    const headers = { [header.interaction]: 'x'.repeat(10_000) };
    for (let turn = 0; turn < 3; turn += 1) await fetch(`${url}/v3/${'x'.repeat(2000)}`, { headers });
    expect(recorder.latest()).toHaveLength(3);
    expect(weightOf(recorder.latest())).toBeLessThan(5000);
    expect(recorder.calls()).toEqual([]);
  });

  it('weigh all their texts, also those in lists and the names of headers', () => {
    expect(weightOf({ body: 'x'.repeat(1000) })).toBeGreaterThan(2000);
    expect(weightOf([['x'.repeat(1000)], { ['y'.repeat(1000)]: null }])).toBeGreaterThan(4000);
  });
});
