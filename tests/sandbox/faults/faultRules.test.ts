import { describe, expect, it } from 'vitest';
import { faultHeader } from '#contract/constants.ts';
import { faultPlaces } from '#contract/faults.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import type { MessageKind } from '#server/upstream/wire.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';
import { testLab } from '../testLab.ts';

const read = endpoints.banks;
const broken = { kind: 'status', status: 500 };

describe('a rule of the fault lab', () => {
  it('occurs once by default', async () => {
    const { set, call, rules } = await testLab();
    await set({ on: 'call', of: 'banks', fault: broken });
    const statuses = [(await call('GET', read)).status, (await call('GET', read)).status];
    expect(statuses).toEqual([500, 200]);
    expect(await rules()).toMatchObject([{ times: 1, asked: 1, happened: 1 }]);
  });

  it.each([
    [{ times: 2 }, [500, 500, 200, 200]],
    [{ times: 'always' }, [500, 500, 500, 500]],
  ])('occurs as often as set: %j', async (often, expected) => {
    const { set, call } = await testLab();
    await set({ on: 'call', fault: broken, ...often });
    const statuses: number[] = [];
    for (const _ of expected) statuses.push((await call('GET', read)).status);
    expect(statuses).toEqual(expected);
  });

  it('occurs by its probability, and with the same seed for the same calls', async () => {
    const run = async (seed: number) => {
      const { set, call, rules } = await testLab({ rate: { perSecond: 1000, burst: 1000 } });
      await set({ on: 'call', of: 'banks', fault: broken, times: 'always', probability: 0.3, seed });
      const failed: boolean[] = [];
      for (let turn = 0; turn < 100; turn += 1) failed.push((await call('GET', read)).status === 500);
      expect(await rules()).toMatchObject([{ asked: 100, happened: failed.filter(Boolean).length }]);
      return failed;
    };
    const [one, same, other] = [await run(7), await run(7), await run(8)];
    expect(one).toEqual(same);
    expect(one).not.toEqual(other);
    const share = one.filter(Boolean).length;
    expect(share).toBeGreaterThan(15);
    expect(share).toBeLessThan(45);
  });

  it('applies to its call only; of several rules, the oldest that takes effect decides', async () => {
    const { set, call } = await testLab();
    await set({ on: 'call', of: 'providers', fault: { kind: 'status', status: 501 } });
    await set({ on: 'call', fault: { kind: 'status', status: 502 } });
    await set({ on: 'call', of: 'banks', fault: { kind: 'status', status: 503 } });
    expect((await call('GET', read)).status).toBe(502);
    expect((await call('GET', endpoints.providers)).status).toBe(501);
    expect((await call('GET', read)).status).toBe(503);
    expect((await call('GET', read)).status).toBe(200);
  });

  it('survives a restart, and goes when it is removed or the sandbox is emptied', async () => {
    const sandbox = await testLab();
    const { set, rules, lab } = sandbox;
    const { ruleId } = await set({ on: 'call', of: 'banks', fault: broken });
    const other = await set({ on: 'webhook', fault: { kind: 'lose' } });
    await sandbox.restart();
    expect(await rules()).toMatchObject([{ ruleId }, other]);
    expect((await lab('DELETE', `/faults/${ruleId}`)).status).toBe(204);
    expect((await lab('DELETE', `/faults/${ruleId}`)).status).toBe(404);
    expect(await rules()).toEqual([other]);
    await lab('POST', '/reset', { token: sandboxCredentials.resetToken });
    expect(await rules()).toEqual([]);
  });

  it('is not touched by the calls of the lab itself, nor by the pages', async () => {
    const { set, rules, call } = await testLab();
    await set({ on: 'call', fault: broken });
    expect((await call('GET', '/')).status).toBe(200);
    expect(await rules()).toMatchObject([{ asked: 0 }]);
  });

  it.each([
    [{}, 'on: the target of the fault: call, webhook, put'],
    [{ on: 'call' }, 'fault: '],
    [{ on: 'call', fault: { kind: 'lose' } }, 'fault.kind: a kind of fault: status, '],
    [{ on: 'message', fault: { kind: 'lose' } }, 'fault.kind: a kind of fault: refuse'],
    [{ on: 'call', of: 'none', fault: broken }, 'of: one of any, createOrganisation, '],
    [{ on: 'call', fault: { kind: 'status', status: 200 } }, 'fault.status: a whole number from 400 to 599'],
    [{ on: 'call', fault: { kind: 'latency', ms: -1 } }, 'fault.ms: a whole number from 0 to 600000'],
    [{ on: 'call', fault: broken, times: 0 }, 'times: always or a whole number from 1'],
    [{ on: 'call', fault: broken, probability: 2 }, 'probability: '],
    [{ on: 'call', fault: broken, often: 2 }, 'often'],
  ])('is refused with what is wrong with it: %j', async (rule, words) => {
    const { lab, rules } = await testLab();
    const { status, body } = await lab('POST', '/faults', rule);
    expect([status, body.detail]).toEqual([400, expect.stringContaining(words)]);
    expect(await rules()).toEqual([]);
  });

  it('is accepted only with the token that the sandbox shows', async () => {
    const { call, rules } = await testLab();
    const body = { on: 'call', fault: broken };
    for (const token of [undefined, 'wrong', sandboxCredentials.apiKey])
      expect((await call('POST', '/sandbox/faults', { body, ...(token && { token }) })).status).toBe(401);
    expect(await rules()).toEqual([]);
  });
});

describe('a fault of a put', () => {
  async function putUnder(fault: object) {
    const lab = await testLab();
    await lab.set({ on: 'put', of: 'creditor', fault });
    const { subscriptionId, token } = lab.who;
    const send = (kind: MessageKind, data: object) =>
      lab.call('POST', `${endpoints.messaging}/${kind}`, { token, body: { data: { subscriptionId, ...data } } });
    const put = { creditorId: '550e8400-e29b-41d4-a716-446655440000', creditorAccount: { identification: '12345678' } };
    await send('debtoraccountputs', { debtorId: put.creditorId, debtorAccount: put.creditorAccount });
    expect((await lab.webhook('debtoraccountputs')).webhook.data).toMatchObject({ status: 'Accepted' });
    await send('creditorputs', put);
    return { ...lab, answer: (await lab.webhook('creditorputs')).webhook.data };
  }

  it('refuse: the provider refuses it and keeps nothing', async () => {
    const { answer } = await putUnder({ kind: 'refuse' });
    expect(answer).toMatchObject({
      status: 'Rejected',
      errors: [{ path: 'creditorId', message: 'the fault lab refuses the creditor' }],
    });
  });

  it('authorise: a user must authorise it', async () => {
    const { answer } = await putUnder({ kind: 'authorise' });
    expect(answer).toMatchObject({
      status: 'AwaitingAuthorisation',
      links: { authorise: expect.stringContaining('/provider/consents/') as unknown },
    });
  });
});

describe('a fault of another message', () => {
  const creditorId = '550e8400-e29b-41d4-a716-446655440000';
  const messages: Record<Exclude<MessageKind, `${string}puts`>, object> = {
    updates: { resource: 'Subscription', properties: { account: '87654321' } },
    debtoraccountlistqueries: {},
    creditorlistqueries: {},
    debtoraccountdeletes: { debtorId: creditorId },
    creditordeletes: { creditorId },
  };
  const answers: Partial<Record<MessageKind, string>> = {
    debtoraccountlistqueries: 'debtoraccountlistqueryresponses',
    creditorlistqueries: 'creditorlistqueryresponses',
  };

  it.each(faultPlaces.message)('refuse: the provider refuses %s, and does nothing', async (kind) => {
    const { set, call, who, webhook, received } = await testLab();
    const { subscriptionId, token } = who;
    const send = (message: MessageKind, data: object) =>
      call('POST', `${endpoints.messaging}/${message}`, { token, body: { data: { subscriptionId, ...data } } });
    for (const name of ['debtoraccountputs', 'creditorputs'] as const) {
      const account = {
        [name === 'creditorputs' ? 'creditorAccount' : 'debtorAccount']: { identification: '12345678' },
      };
      await send(name, { debtorId: creditorId, creditorId, ...account });
      await webhook(name);
    }
    const { ruleId } = await set({ on: 'message', of: kind, fault: { kind: 'refuse' } });
    const more = kind === 'updates' ? { id: subscriptionId } : {};
    await send(kind, { ...messages[kind], ...more });
    const answer = await webhook(answers[kind] ?? kind);
    expect(answer.webhook.data).toMatchObject({ status: 'Rejected' });
    expect(answer.headers[faultHeader]).toBe(`refuse; rule=${ruleId}`);
    received.length = 0;
    for (const [name, list] of [
      ['debtoraccountlistqueries', 'debtors'],
      ['creditorlistqueries', 'creditors'],
    ] as const) {
      await send(name, {});
      const { data } = (await webhook(answers[name]!)).webhook; // both have one
      expect((data as Record<string, object[]>)[list]).toHaveLength(1);
    }
    const { body } = await call('GET', `${endpoints.subscriptions}/${subscriptionId}`, { token });
    expect(body.data.additionalData).toBe('{"account":"12345678"}');
  });
});
