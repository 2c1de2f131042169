import { describe, expect, it, vi } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { faultHeader } from '#contract/constants.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { eventually } from '#tests/support/eventually.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';
import { testLab } from '../testLab.ts';

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
});

/** A subscription whose suspensions send a webhook each; the first of them under a fault. */
async function webhooksUnder(fault: { kind: string } & Record<string, unknown>) {
  const lab = await testLab();
  const rule = await lab.set({ on: 'webhook', of: 'subscriptionUpdated', fault });
  let suspended = false;
  const change = async () => {
    suspended = !suspended;
    await lab.call('PATCH', `${endpoints.subscriptions}/${lab.who.subscriptionId}`, {
      token: lab.who.token,
      body: { data: { suspendedByConsumer: suspended } },
    });
  };
  /** What has come after so much time (ms), in its order: the state that each webhook tells. */
  const told = () =>
    lab.received.map(({ webhook }) => (webhook.data as { suspendedByConsumer: boolean }).suspendedByConsumer);
  const pass = async (ms: number, webhooks: number) => {
    lab.clock.increment(ms);
    await eventually(() => expect(lab.received).toHaveLength(webhooks));
    // One that should not come would come now.
    await new Promise((resume) => setTimeout(resume, 50));
    expect(lab.received).toHaveLength(webhooks);
  };
  return { ...lab, rule, change, told, pass };
}

describe('a fault of a webhook', () => {
  it('lose: it never arrives, the next one does', async () => {
    const { change, pass, told } = await webhooksUnder({ kind: 'lose' });
    await change();
    await pass(600_000, 0);
    await change();
    await pass(500, 1);
    expect(told()).toEqual([false]);
  });

  it('delay: it arrives later by the set time', async () => {
    const { change, pass, received, rule } = await webhooksUnder({ kind: 'delay', ms: 20_000 });
    await change();
    await pass(20_400, 0);
    await pass(100, 1);
    expect(received[0]?.headers[faultHeader]).toBe(`delay; rule=${rule.ruleId}`);
  });

  it('delay: it takes the longest time that can be set, also where the clock is stopped meanwhile', async () => {
    const { change, pass, lab } = await webhooksUnder({ kind: 'delay', ms: 600_000 });
    await change();
    await lab('PATCH', '/clock', { still: true });
    await lab('PATCH', '/clock', { still: false });
    await pass(0, 0);
    await pass(600_400, 0);
    await pass(100, 1);
  });

  it('duplicate: it arrives twice, with one id', async () => {
    const { change, pass, received } = await webhooksUnder({ kind: 'duplicate' });
    await change();
    await pass(500, 2);
    const [one, other] = received.map(({ headers, text }) => [headers['webhook-id'], text]);
    expect(one).toEqual(other);
  });

  it('reorder: it arrives after the next one', async () => {
    const { change, pass, told } = await webhooksUnder({ kind: 'reorder', ms: 60_000 });
    await change();
    await pass(5000, 0);
    await change();
    await pass(500, 1);
    await pass(1, 2);
    expect(told()).toEqual([false, true]);
  });

  it('reorder: it arrives without another one if none follows', async () => {
    const { change, pass } = await webhooksUnder({ kind: 'reorder', ms: 60_000 });
    await change();
    await pass(60_400, 0);
    await pass(100, 1);
  });

  it.each(['badSignature', 'oldTimestamp'])('%s: a receiver that verifies it refuses it', async (kind) => {
    const { change, pass, received, receiverAnswer } = await webhooksUnder({ kind });
    receiverAnswer.status = 401;
    await change();
    await pass(500, 1);
    const { headers, text } = received[0]!;
    const check = () => new Webhook(sandboxCredentials.webhookSecret).verify(text, headers as Record<string, string>);
    expect(check).toThrow(kind === 'badSignature' ? 'No matching signature found' : 'Message timestamp too old');
    await pass(1000, 2); // tried again, as any webhook that is refused
  });

  it('otherSubscription: it names one that does not exist', async () => {
    const { change, pass, received, who } = await webhooksUnder({ kind: 'otherSubscription' });
    await change();
    await pass(500, 1);
    const { webhook } = received[0]!;
    expect(webhook.subscriptionId).toMatch(/^[\da-f-]{36}$/);
    expect(webhook.subscriptionId).not.toBe(who.subscriptionId);
  });

  it('array: its body is a list', async () => {
    const { change, pass, received, who } = await webhooksUnder({ kind: 'array' });
    await change();
    await pass(500, 1);
    expect(JSON.parse(received[0]!.text)).toMatchObject([{ subscriptionId: who.subscriptionId }]);
  });

  it('receiverDown: no attempt reaches the receiver before the set time, a later one does', async () => {
    const { change, pass, told } = await webhooksUnder({ kind: 'receiverDown', ms: 5000 });
    await change();
    await pass(500, 0); // attempts after 0.5 s, 1.5 s, 3.5 s
    await pass(1000, 0);
    await pass(2000, 0);
    await pass(4000, 1);
    expect(told()).toEqual([true]);
  });
});
