import { describe, expect, it, vi } from 'vitest';
import { faultHeader } from '#contract/constants.ts';
import { faultKinds } from '#contract/faults.ts';
import { endpoints } from '#server/upstream/wire.ts';
import { testLab } from '../testLab.ts';
import { eventually } from '#tests/support/eventually.ts';

/** What a caller sees of one subscription created under a fault, and whether the sandbox did the work. */
async function under(fault: { kind: string } & Record<string, unknown>) {
  const lab = await testLab();
  const rule = await lab.set({ on: 'call', of: 'createSubscription', fault });
  const create = async () => {
    const { status, headers, text } = await lab.subscribe(lab.who, 'authorises');
    return { status, headers, text };
  };
  const isDone = async () => {
    lab.clock.increment(1000);
    // A later event, whose webhook comes after those of the subscription.
    await lab.call('PATCH', `${endpoints.subscriptions}/${lab.who.subscriptionId}`, {
      token: lab.who.token,
      body: { data: { suspendedByConsumer: true } },
    });
    lab.clock.increment(1000);
    return eventually(() => {
      const updates = lab.received.map(({ webhook }) => webhook.subscriptionId);
      if (!updates.includes(lab.who.subscriptionId)) throw new Error('not yet');
      return updates.some((id) => id !== lab.who.subscriptionId);
    });
  };
  return { ...lab, rule, create, isDone };
}

describe('a fault of a call', () => {
  it.each([
    [{ kind: 'status', status: 418 }, 418, 'The fault lab answers 418'],
    [{ kind: 'tooMany', retryAfter: 7 }, 429, 'try again in 7 s'],
    [{ kind: 'expiredToken' }, 401, 'The token has expired'],
    [{ kind: 'html', status: 502 }, 502, '<h1>The gateway'],
  ])('%j is returned, with the fault header, and nothing is done', async (fault, status, words) => {
    const { create, isDone, rule } = await under(fault);
    const answer = await create();
    expect(answer).toMatchObject({ status, text: expect.stringContaining(words) as unknown });
    expect(answer.headers.get(faultHeader)).toBe(`${fault.kind}; rule=${rule.ruleId}`);
    expect(answer.headers.get('retry-after')).toBe(fault.kind === 'tooMany' ? '7' : null);
    expect(answer.headers.get('content-type')).toContain(
      fault.kind === 'html' ? 'text/html' : 'application/problem+json',
    );
    expect(await isDone()).toBe(false);
    expect((await create()).status).toBe(201);
  });

  it.each([
    ['reset', false],
    ['answerLost', true],
    ['truncated', true],
  ])('%s breaks the connection; the work is done: %s', async (kind, done) => {
    const { create, isDone, rules } = await under({ kind });
    await expect(create()).rejects.toThrow();
    expect(await isDone()).toBe(done);
    expect(await rules()).toMatchObject([{ asked: 1, happened: 1 }]);
  });

  it.each([
    ['noAnswer', false],
    ['noBody', true],
  ])('%s keeps the caller waiting until all faults are stopped; the work is done: %s', async (kind, done) => {
    const { create, isDone, lab, rules } = await under({ kind });
    const ended = vi.fn();
    const waiting = create().then(ended, ended);
    await eventually(async () => expect(await rules()).toMatchObject([{ happened: 1 }]));
    expect(ended).not.toHaveBeenCalled();
    await lab('DELETE', '/faults');
    await waiting;
    expect(ended.mock.calls[0]?.[0]).toBeInstanceOf(Error);
    expect(await isDone()).toBe(done);
    expect(await rules()).toEqual([]);
  });

  it.each(['latency', 'slow'])('%s delays the usual response', async (kind) => {
    const { create, rules, clock } = await under({ kind, ms: 5000 });
    const ended = vi.fn();
    const waiting = create().then(ended);
    await eventually(async () => expect(await rules()).toMatchObject([{ happened: 1 }]));
    for (let passed = 0; passed < 4500; passed += 500) {
      clock.increment(500);
      await new Promise((resume) => setTimeout(resume, 5));
    }
    expect(ended).not.toHaveBeenCalled();
    await eventually(() => {
      clock.increment(500);
      expect(ended).toHaveBeenCalled();
    });
    await waiting;
    expect(ended.mock.calls[0]?.[0]).toMatchObject({
      status: 201,
      text: expect.stringContaining('subscriptionId') as unknown,
    });
  });

  it.each([
    ['extraMembers', '"addedByTheLab":{"version":2,"tags":["new"]},"_embedded":[]}'],
    ['unknownStatus', '"status":"UnderReview"'],
    ['nullMembers', '"error":null'],
  ])(
    '%s changes the members of a successful response, with the fault header; the work is done',
    async (kind, words) => {
      const { create, isDone, rule } = await under({ kind });
      const answer = await create();
      expect(answer).toMatchObject({ status: 201, text: expect.stringContaining(words) as unknown });
      expect(answer.text).toMatch(/"subscriptionId":"[\w-]+"/);
      expect(answer.headers.get(faultHeader)).toBe(`${kind}; rule=${rule.ruleId}`);
      expect(await isDone()).toBe(true);
      expect((await create()).text).not.toContain(words);
    },
  );

  it('of unknown members leaves a refusal as it is', async () => {
    const lab = await testLab();
    await lab.set({ on: 'call', of: 'subscription', fault: { kind: 'extraMembers' } });
    const { status, text } = await lab.call('GET', `${endpoints.subscriptions}/none`, { token: lab.who.token });
    expect([status, text.includes('addedByTheLab')]).toEqual([404, false]);
  });

  it('has a test here for each of its kinds', () => {
    expect(Object.keys(faultKinds.call).sort()).toEqual(
      [
        'status',
        'tooMany',
        'tooManyUntil',
        'redirect',
        'expiredToken',
        'html',
        'reset',
        'answerLost',
        'truncated',
        'noAnswer',
        'noBody',
        'latency',
        'slow',
        'extraMembers',
        'unknownStatus',
        'nullMembers',
        'changed',
      ].sort(),
    );
  });
});
