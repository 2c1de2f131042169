import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { faultHeader } from '#contract/constants.ts';
import { faultKinds } from '#contract/faults.ts';
import { endpoints } from '#server/upstream/wire.ts';
import { eventually } from '#tests/support/eventually.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';
import { testLab } from '../testLab.ts';

/** A subscription whose suspensions send a webhook each; the first of them under a fault. */
async function under(fault: { kind: string } & Record<string, unknown>) {
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
    const { change, pass, told } = await under({ kind: 'lose' });
    await change();
    await pass(600_000, 0);
    await change();
    await pass(500, 1);
    expect(told()).toEqual([false]);
  });

  it('delay: it arrives later by the set time', async () => {
    const { change, pass, received, rule } = await under({ kind: 'delay', ms: 20_000 });
    await change();
    await pass(20_400, 0);
    await pass(100, 1);
    expect(received[0]?.headers[faultHeader]).toBe(`delay; rule=${rule.ruleId}`);
  });

  it('delay: it takes the longest time that can be set, also where the clock is stopped meanwhile', async () => {
    const { change, pass, lab } = await under({ kind: 'delay', ms: 600_000 });
    await change();
    await lab('PATCH', '/clock', { still: true });
    await lab('PATCH', '/clock', { still: false });
    await pass(0, 0);
    await pass(600_400, 0);
    await pass(100, 1);
  });

  it('duplicate: it arrives twice, with one id', async () => {
    const { change, pass, received } = await under({ kind: 'duplicate' });
    await change();
    await pass(500, 2);
    const [one, other] = received.map(({ headers, text }) => [headers['webhook-id'], text]);
    expect(one).toEqual(other);
  });

  it('reorder: it arrives after the next one', async () => {
    const { change, pass, told } = await under({ kind: 'reorder', ms: 60_000 });
    await change();
    await pass(5000, 0);
    await change();
    await pass(500, 1);
    await pass(1, 2);
    expect(told()).toEqual([false, true]);
  });

  it('reorder: it arrives without another one if none follows', async () => {
    const { change, pass } = await under({ kind: 'reorder', ms: 60_000 });
    await change();
    await pass(60_400, 0);
    await pass(100, 1);
  });

  it.each(['badSignature', 'oldTimestamp'])('%s: a receiver that verifies it refuses it', async (kind) => {
    const { change, pass, received, receiverAnswer } = await under({ kind });
    receiverAnswer.status = 401;
    await change();
    await pass(500, 1);
    const { headers, text } = received[0]!;
    const check = () => new Webhook(sandboxCredentials.webhookSecret).verify(text, headers as Record<string, string>);
    expect(check).toThrow(kind === 'badSignature' ? 'No matching signature found' : 'Message timestamp too old');
    await pass(1000, 2); // tried again, as any webhook that is refused
  });

  it('otherSubscription: it names one that does not exist', async () => {
    const { change, pass, received, who } = await under({ kind: 'otherSubscription' });
    await change();
    await pass(500, 1);
    const { webhook } = received[0]!;
    expect(webhook.subscriptionId).toMatch(/^[\da-f-]{36}$/);
    expect(webhook.subscriptionId).not.toBe(who.subscriptionId);
  });

  it('array: its body is a list', async () => {
    const { change, pass, received, who } = await under({ kind: 'array' });
    await change();
    await pass(500, 1);
    expect(JSON.parse(received[0]!.text)).toMatchObject([{ subscriptionId: who.subscriptionId }]);
  });

  it('receiverDown: no attempt reaches the receiver before the set time, a later one does', async () => {
    const { change, pass, told } = await under({ kind: 'receiverDown', ms: 5000 });
    await change();
    await pass(500, 0); // attempts after 0.5 s, 1.5 s, 3.5 s
    await pass(1000, 0);
    await pass(2000, 0);
    await pass(4000, 1);
    expect(told()).toEqual([true]);
  });

  it('has a test here for each of its kinds', () => {
    expect(Object.keys(faultKinds.webhook)).toEqual([
      'lose',
      'delay',
      'duplicate',
      'reorder',
      'badSignature',
      'oldTimestamp',
      'otherSubscription',
      'array',
      'receiverDown',
      'changed',
    ]);
  });
});
