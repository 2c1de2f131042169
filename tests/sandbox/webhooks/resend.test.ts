import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { postOutside, postOverHttp } from '#server/sandbox/webhooks/transport.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';
import { testLab } from '../testLab.ts';

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

/** Addresses of ranges that are reserved, or in which another address is embedded. */
const reserved = [
  '192.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '192.88.99.1',
  '240.0.0.1',
  '255.255.255.255',
  '224.0.0.1',
  '100.100.100.200',
  '[2002:7f00:1::]',
  '[2002:a9fe:a9fe::1]',
  '[64:ff9b:1::7f00:1]',
  '[64:ff9b::169.254.169.254]',
  '[::127.0.0.1]',
  '[fec0::1]',
  '[2001:db8::1]',
  '[3fff::1]',
  '[100::1]',
  '[2001::1]',
  '[2001:2::1]',
  '[5f00::1]',
  '[4000::1]',
  '[ff02::1]',
  '[fd00:ec2::254]',
  '[2001:20::1]',
];

describe('a webhook that was sent', () => {
  it('is listed with its deliveries, newest first', async () => {
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

  it('is resent with its id, without its fault', async () => {
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

  it('is resent with all others that failed since a time, and only those', async () => {
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
});

describe('a second receiver', () => {
  it('receives all webhooks as well, with retries of its own, until it is removed', async () => {
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

  it('receives no agreed header, is not followed to another address, and receives a limited rate (threat 2.26)', async () => {
    const { sandbox, suspend, ask, list } = await ready();
    await suspend();
    await sandbox.webhook('subscriptionUpdated');
    const heard: { path: string; agreed: unknown }[] = [];
    const own = createServer((request, response) => {
      heard.push({ path: request.url ?? '', agreed: request.headers[sandboxCredentials.webhookHeader.name] });
      response.writeHead(307, { location: '/elsewhere' }).end();
    }).listen(0, '127.0.0.1');
    await once(own, 'listening');
    onTestFinished(() => void own.close());
    await ask('PUT', '/receiver', { url: `http://127.0.0.1:${(own.address() as AddressInfo).port}/hooks` }); // it listens on a port
    const [{ webhookId } = { webhookId: '' }] = await list();
    for (let turn = 0; turn < 120; turn += 1) await ask('POST', `/webhooks/${webhookId}/again`);
    sandbox.clock.increment(0);
    const soon = { timeout: 60_000 };
    await expect.poll(() => heard.length, soon).toBe(100);
    await expect.poll(() => sandbox.received.length, soon).toBeGreaterThan(120); // nothing is under way any more
    expect(heard).toHaveLength(100);
    expect(new Set(heard.map(({ path, agreed }) => `${path} ${String(agreed)}`))).toEqual(
      new Set(['/hooks undefined']),
    );
    const later = () => {
      sandbox.clock.increment(1000);
      return heard.length;
    };
    await expect.poll(later, { ...soon, interval: 1000 }).toBeGreaterThanOrEqual(120);
  });

  it.each([
    [false, 'http://169.254.169.254/latest/meta-data', 'no reserved, link-local, multicast or metadata address'],
    [false, 'http://2852039166/', 'no reserved'],
    [false, 'http://[::ffff:169.254.169.254]/', 'no reserved'],
    [false, 'http://[fe80::1]/', 'no reserved'],
    [false, 'http://0.0.0.0/', 'no reserved'],
    ...reserved.flatMap((host): [boolean, string, string][] => [
      [false, `http://${host}/`, 'no reserved'],
      [true, `http://${host}/`, 'an address that the internet reaches'],
    ]),
    [true, 'http://[::ffff:192.168.1.1]/', 'an address that the internet reaches'],
    [true, 'http://[64:ff9b::192.168.1.1]/', 'an address that the internet reaches'],
    [true, 'http://127.0.0.1:9/', 'an address that the internet reaches'],
    [true, 'http://localhost:9/', 'an address that the internet reaches'],
    [true, 'http://192.168.1.1/', 'an address that the internet reaches'],
    [true, 'http://[fd00::1]/', 'an address that the internet reaches'],
  ])('is refused at an address where none can be; shared: %s, %s (threat 2.25)', async (shared, url, words) => {
    const { lab } = await testLab({}, shared ? 'user-1' : undefined);
    const { status, body } = await lab('PUT', '/receiver', { url });
    expect([status, body.detail]).toEqual([400, expect.stringContaining(`url: ${words}`)]);
    expect((await lab('GET', '/receiver')).body.data).toEqual({ url: null });
  });

  it('is resolved for each call, and not called if the name has such an address (threat 2.25)', async () => {
    const heard: string[] = [];
    const own = createServer((request, response) => {
      heard.push(request.url ?? '');
      response.end();
    }).listen(0, '127.0.0.1');
    await once(own, 'listening');
    onTestFinished(() => void own.close());
    const url = `http://hooks.example:${(own.address() as AddressInfo).port}/`; // it listens on a port
    const post = (shared: boolean, addresses: readonly string[]) =>
      postOutside(postOverHttp, url, {
        headers: {},
        body: '',
        signal: AbortSignal.timeout(5000),
        shared,
        resolve: (_name, _options, done) =>
          done(
            null,
            addresses.map((address) => ({ address, family: 4 })),
          ),
      });
    const refused = 'hooks.example is at an address that receives no webhooks';
    await expect(post(true, ['127.0.0.1'])).rejects.toThrow(refused);
    await expect(post(false, ['127.0.0.1', '169.254.169.254'])).rejects.toThrow(refused);
    await expect(post(false, [])).rejects.toThrow('hooks.example has no address');
    await expect(
      postOutside(postOverHttp, 'http://nowhere.invalid/', {
        headers: {},
        body: '',
        signal: AbortSignal.timeout(5000),
        shared: false,
      }),
    ).rejects.toThrow();
    expect(heard).toEqual([]);
    expect(await post(false, ['127.0.0.1'])).toEqual({ status: 200 });
  });
});

describe('the signature of a webhook', () => {
  it('is explained by its base string, which reproduces it', async () => {
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

  it('is verified as pasted, and each error is named', async () => {
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
    const other = ['webhook-signature: made from another base string, or with another secret'];
    const wrong = (words: string) => [
      expect.stringContaining(`webhook-signature: not made as it should be: ${words}`) as string,
    ];
    expect(await problems({ body: `${text} ` })).toEqual(wrong('the blanks and line breaks around the body were left'));
    expect(await problems({ id: 'other' })).toEqual(other);
    expect(await problems({ signature: 'v2,abc' })).toEqual(['webhook-signature: no signature of the version v1']);
    expect(await problems({ signature: '' })).toEqual(['webhook-signature: the header is missing']);
    expect(await problems({ id: '' })).toEqual(['webhook-id: the header is missing', ...other]);
    const at = (seconds: number) => String(Number(pasted.timestamp) + seconds);
    expect(await problems({ timestamp: at(-3600) })).toEqual([
      expect.stringMatching(/^webhook-timestamp: signed 1 h 0\d min before this server’s time; allowed 5 min/),
      ...other,
    ]);
    expect(await problems({ timestamp: at(3600) })).toEqual([
      expect.stringMatching(/^webhook-timestamp: signed (59|1 h) .* after this server’s time; allowed 5 min/),
      ...other,
    ]);
    expect(await problems({ timestamp: 'now' })).toEqual([
      expect.stringMatching(
        /^webhook-timestamp: “now” cannot be read: it is the number of seconds since 1970, such as/,
      ),
      ...other,
    ]);
    expect(await problems({ timestamp: `${pasted.timestamp}000` })).toEqual([
      expect.stringContaining('is in milliseconds: give seconds since 1970'),
      ...wrong('the timestamp was signed in seconds'),
    ]);
  });

  it('is recognised in other forms, each of which is named', async () => {
    const { sandbox, suspend, ask } = await ready();
    await suspend();
    const { headers, text } = await sandbox.webhook('subscriptionUpdated');
    const [id, timestamp] = [String(headers['webhook-id']), String(headers['webhook-timestamp'])];
    const digest = Buffer.from(String(headers['webhook-signature']).slice(3), 'base64');
    const right = `v1,${digest.toString('base64')}`;
    const problems = async (signature: string, change: object = {}) =>
      (
        await ask<{ problems: string[] }>('POST', '/webhooks/check', {
          id,
          timestamp,
          signature,
          body: text,
          ...change,
        })
      ).problems;
    const named = (words: string) => [expect.stringContaining(words) as string];
    expect(await problems(`v1,${digest.toString('hex')}`)).toEqual(named('written in hexadecimal digits instead of'));
    expect(await problems(right.replace('=', ''))).toEqual(named('the “=” at the end of its Base64 are missing'));
    expect(await problems(`v1,${digest.toString('base64url')}`)).toEqual(
      named(/[-_]/.test(digest.toString('base64url')) ? 'URL-safe alphabet' : '“=” at'),
    );
    expect(await problems(right.slice(3))).toEqual(named('no signature of the version v1: write “v1,” before it'));
    expect(await problems(`v1,"${right.slice(3)}"`)).toEqual(named('something else stands beside it'));
    expect(await problems(`v1,b3RoZXI=, ${right}`)).toEqual(named('several headers, joined by commas: send one'));
    expect(await problems(`webhook-signature: v1,b3RoZXI=\nwebhook-signature: ${right}`)).toEqual(
      named('several headers'),
    );
    expect(
      await problems(`Webhook-Signature: ${right}`, {
        id: `webhook-id: ${id}`,
        timestamp: `webhook-timestamp: ${timestamp}`,
      }),
    ).toEqual([]);
    expect(await problems(`v1,b3RoZXI= v1a,xyz ${right}`)).toEqual([]);
  });

  it('is not returned for webhooks of others, so that the sandbox signs nothing for them (threat 2.24)', async () => {
    const { sandbox, suspend, ask } = await ready();
    await suspend();
    const { headers, text } = await sandbox.webhook('subscriptionUpdated');
    const [id, timestamp] = [String(headers['webhook-id']), String(headers['webhook-timestamp'])];
    const told = (signed: object) =>
      ask<{ signature: string }>('POST', '/webhooks/check', { id, timestamp, body: text, ...signed });
    expect((await told({})).signature).toBe(headers['webhook-signature']);
    for (const forged of [
      { body: text.replace('true', 'false') },
      { body: `${text} ` },
      { id: 'msg_new' },
      { id: '', body: 'undefined' },
      { timestamp: `${timestamp}.{"type":"forged"}` },
    ])
      expect(await told(forged)).toMatchObject({
        signature: '',
        problems: expect.arrayContaining([expect.stringMatching(/header is missing$/)]) as unknown,
      });
  });
});
