import { describe, expect, it } from 'vitest';
import { paid } from '#tests/support/fixtures.ts';
import { consoleWith as consoleAt, making } from '#tests/support/consoleWithPayments.ts';
import type { Script } from '#tests/support/fakeUpstream.ts';

const day = 24 * 60 * 60_000;
const consoleWith = (script: Script) => consoleAt(script, undefined, Date.parse('2026-11-20T23:58:00Z'));
const on = (requestedExecutionDateTime: string) => ({ ...paid, externalId: 'e', requestedExecutionDateTime });

describe('An execution date at the console’s API', () => {
  it.each([
    ['2026-11-19T00:00:00Z', 'is in the past: the first day that can be chosen is 2026-11-20'],
    ['2027-11-22T00:00:00Z', 'is more than a year away: the last day that can be chosen is 2027-11-21'],
  ])('is refused in a review and in a batch before anything is sent: %s (behaviour 9.13)', async (date, sentence) => {
    const { server, sent } = await consoleWith(making());
    for (const call of ['preparePayment', 'createBatch'] as const) {
      const problem = await server.refused(call, { body: on(date) });
      expect(problem).toMatchObject({ status: 400, code: 'invalid-request', outcome: 'not-sent' });
      expect(problem.errors).toMatchObject([{ path: 'requestedExecutionDateTime' }]);
      expect(problem.errors?.[0]?.message).toContain(sentence);
    }
    expect(sent()).toEqual([]);
  });

  it('may have passed when a payment with an unknown outcome is sent again under its key (behaviour 9.13)', async () => {
    let answers = false;
    const { server, sent, time } = await consoleWith((response, ...rest) =>
      answers ? making()(response, ...rest) : void response.destroy(),
    );
    const body = on('2026-11-20T00:00:00Z');
    await server.refused('createBatch', { body, key: 'key' });
    time.now += 3 * day;
    answers = true;
    expect((await server.done('createBatch', { body, key: 'key' })).data.batchId).toBe('batch-1');
    expect((await server.done('createBatch', { body, key: 'key' })).data.batchId).toBe('batch-1');
    expect(await server.refused('createBatch', { body, key: 'other' })).toMatchObject({ code: 'invalid-request' });
    expect(sent()).toHaveLength(2);
  });
});
