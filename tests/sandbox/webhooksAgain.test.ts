import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { endpoints } from '#server/upstream/wire.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';
import { testLab } from './lab.ts';

interface Listed {
  webhookId: string;
  type: string;
  at: string;
  body: string;
  attempts: number;
  delivered: boolean;
  status: number;
  mark?: { kind: string };
}

async function ready() {
  const lab = await testLab();
  const suspend = (suspendedByConsumer = true) =>
    lab.call('PATCH', `${endpoints.subscriptions}/${lab.who.subscriptionId}`, {
      token: lab.who.token,
      body: { data: { suspendedByConsumer } },
    });
  const ask = async <T>(method: string, path: string, body?: object) =>
    (await lab.lab(method, path, body)).body.data as unknown as T; // the answer to this call
  const list = () => ask<Listed[]>('GET', '/webhooks');
  return { ...lab, sandbox: lab, suspend, ask, list };
}

describe('a webhook that was sent', () => {
  it('is listed with what became of it, the newest first', async () => {
    const { sandbox, suspend, list, set } = await ready();
    await suspend();
    const { headers } = await sandbox.webhook('subscriptionUpdated');
    await set({ on: 'webhook', fault: { kind: 'lose' } });
    await suspend(false);
    await expect
      .poll(list)
      .toMatchObject([
        { delivered: false, attempts: 0, status: 0, mark: { kind: 'lose' } },
        { webhookId: headers['webhook-id'], delivered: true, attempts: 1, status: 204 },
        { delivered: true },
      ]);
  });

  it('is sent again under its id, without the fault that it had', async () => {
    const { sandbox, suspend, list, set, ask, who, received } = await ready();
    await set({ on: 'webhook', fault: { kind: 'otherSubscription' } });
    await suspend();
    await sandbox.webhook('subscriptionUpdated');
    const [{ webhookId } = { webhookId: '' }] = await list();
    await ask('POST', `/webhooks/${webhookId}/again`);
    const { webhook, headers } = await sandbox.webhook('subscriptionUpdated', 1);
    expect([headers['webhook-id'], webhook.subscriptionId]).toEqual([webhookId, who.subscriptionId]);
    expect(received.map((each) => each.headers['webhook-id'])).toEqual([webhookId, webhookId]);
    expect((await sandbox.lab('POST', '/webhooks/none/again')).status).toBe(404);
  });

  it('is sent again with all others that failed since a time, and only those', async () => {
    const { sandbox, suspend, ask, set, received } = await ready();
    await suspend();
    await sandbox.webhook('subscriptionUpdated');
    const since = new Date(sandbox.clock.now() + 1).toISOString();
    sandbox.clock.increment(1000);
    await set({ on: 'webhook', times: 2, fault: { kind: 'lose' } });
    await suspend(false);
    await suspend(true);
    const again = await ask<Listed[]>('POST', '/webhooks/again', { since });
    expect(again).toHaveLength(2);
    sandbox.clock.increment(0);
    await expect
      .poll(() => received.slice(1).map(({ headers }) => headers['webhook-id']))
      .toEqual(again.map(({ webhookId }) => webhookId));
    expect((await sandbox.lab('POST', '/webhooks/again', { since: 'today' })).body.detail).toContain(
      'since: a time such as',
    );
  });

  it('is forgotten when the sandbox is emptied', async () => {
    const { lab, list } = await ready();
    expect(await list()).toHaveLength(1);
    await lab('POST', '/reset', { token: sandboxCredentials.resetToken });
    expect(await list()).toEqual([]);
  });
});

describe('a second receiver', () => {
  it('gets all webhooks as well, tried again by itself, until it is taken away', async () => {
    const { sandbox, suspend, ask, received } = await ready();
    const heard: string[] = [];
    const answers = [503, 204, 204];
    const own = createServer((request, response) => {
      heard.push(String(request.headers['webhook-id']));
      response.writeHead(answers.shift() ?? 500).end();
    }).listen(0, '127.0.0.1');
    await once(own, 'listening');
    onTestFinished(() => void own.close());
    const url = `http://127.0.0.1:${(own.address() as AddressInfo).port}/hooks`; // it listens on a port
    expect(await ask('PUT', '/receiver', { url })).toEqual({ url });
    await suspend();
    const { headers } = await sandbox.webhook('subscriptionUpdated');
    await expect.poll(() => heard).toEqual([headers['webhook-id']]);
    const laterHeard = () => {
      sandbox.clock.increment(1000);
      return heard;
    };
    await expect.poll(laterHeard).toEqual([headers['webhook-id'], headers['webhook-id']]);
    expect(received).toHaveLength(1);
    expect(await ask('DELETE', '/receiver')).toEqual({ url: null });
    await suspend(false);
    await sandbox.webhook('subscriptionUpdated', 1);
    expect(heard).toHaveLength(2);
    expect((await sandbox.lab('PUT', '/receiver', { url: 'file:///etc' })).body.detail).toContain(
      'url: an http or https address',
    );
  });
});

describe('the signature of a webhook', () => {
  it('is explained by its base string, and the explanation is right', async () => {
    const { ask, list } = await ready();
    const [{ webhookId, body } = { webhookId: '', body: '' }] = await list();
    const told = await ask<Record<'id' | 'timestamp' | 'baseString' | 'signature', string>>(
      'GET',
      `/webhooks/${webhookId}/signature`,
    );
    expect(told.baseString).toBe(`${webhookId}.${told.timestamp}.${body}`);
    const right = new Webhook(sandboxCredentials.webhookSecret).sign(
      webhookId,
      new Date(Number(told.timestamp) * 1000),
      body,
    );
    expect(told.signature).toBe(right);
  });

  it('is checked as it was pasted, and each fault is named', async () => {
    const { sandbox, suspend, ask } = await ready();
    await suspend();
    const { headers, text } = await sandbox.webhook('subscriptionUpdated');
    const pasted = {
      id: String(headers['webhook-id']),
      timestamp: String(headers['webhook-timestamp']),
      signature: String(headers['webhook-signature']),
      body: text,
    };
    const problems = async (change: object) =>
      (await ask<{ problems: string[] }>('POST', '/webhooks/check', { ...pasted, ...change })).problems;
    expect(await problems({})).toEqual([]);
    expect(await problems({ signature: `v1,other ${pasted.signature}` })).toEqual([]);
    const other = ['webhook-signature: it was made of another base string, or with another secret'];
    expect(await problems({ body: `${text} ` })).toEqual(other);
    expect(await problems({ id: 'other' })).toEqual(other);
    expect(await problems({ signature: 'v2,abc' })).toEqual(['webhook-signature: no signature of the version v1']);
    expect(await problems({ signature: '' })).toEqual(['webhook-signature: the header is missing']);
    expect(await problems({ id: '' })).toEqual(['webhook-id: the header is missing', ...other]);
    const at = (seconds: number) => String(Number(pasted.timestamp) + seconds);
    expect(await problems({ timestamp: at(-3600) })).toEqual([
      expect.stringMatching(/^webhook-timestamp: 36\d\d s old; at most 300 s are taken$/),
      ...other,
    ]);
    expect(await problems({ timestamp: at(3600) })).toEqual([
      expect.stringMatching(/^webhook-timestamp: 3[56]\d\d s in the future/),
      ...other,
    ]);
    expect(await problems({ timestamp: 'now' })).toEqual([
      'webhook-timestamp: not a number of seconds since 1970',
      ...other,
    ]);
  });

  it('is told only with the token that the sandbox shows', async () => {
    const { call } = await ready();
    for (const [method, path] of [
      ['GET', '/webhooks'],
      ['POST', '/webhooks/again'],
      ['POST', '/webhooks/check'],
      ['GET', '/receiver'],
      ['PUT', '/receiver'],
      ['GET', '/clock'],
      ['DELETE', '/faults'],
    ] as const)
      expect((await call(method, `/sandbox${path}`, { token: 'wrong' })).status).toBe(401);
  });
});
