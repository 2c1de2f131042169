import { randomUUID } from 'node:crypto';
import { describe, it, expect } from 'vitest';
import { endpoints, header, wire } from '#server/upstream/wire.ts';
import { testSandbox } from './harness.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';

describe('the definitions', () => {
  it('are served in the shapes of the wire', async () => {
    const sandbox = await testSandbox();
    const get = async (path: string) => (await sandbox.call('GET', path)).body;
    expect(wire.providers.parse(await get(`${endpoints.providers}?country=GB`)).data).toHaveLength(6);
    expect(wire.provider.parse(await get(`${endpoints.providers}/provider-asks`)).data.name).toBe('asks');
    expect(wire.localInstruments.parse(await get(endpoints.localInstruments)).data).toHaveLength(1);
    expect(wire.fileFormats.parse(await get(`${endpoints.fileFormats}?country=GB`)).data).toHaveLength(1);
    expect(wire.health.parse(await get(endpoints.consumerStatus)).name).toContain('consumer API');
    expect(wire.health.parse(await get(endpoints.messagingStatus)).name).toContain('messaging');
    expect(await get(endpoints.banks)).toMatchObject({ meta: { total_count: 9 } });
  });

  it('are in the requested language', async () => {
    const sandbox = await testSandbox();
    const ask = (path: string, language: string) =>
      sandbox.call('GET', path, { headers: { [header.language]: language } });
    expect((await ask(endpoints.providers, 'xx')).body.data).toEqual([]);
    expect((await ask(`${endpoints.translations}/known`, 'fr-CA')).body.data.translation).toBe('known in fr-CA');
    expect((await ask(`${endpoints.translations}/unknown`, 'fr-CA')).status).toBe(404);
  });

  it('require the application and its key, and a country of two letters', async () => {
    const sandbox = await testSandbox();
    const status = async (path: string, headers = {}) => (await sandbox.call('GET', path, { headers })).status;
    expect(await status(endpoints.providers, { [header.apiKey]: 'wrong' })).toBe(401);
    expect(await status(endpoints.fileFormats, { [header.apiKey]: 'wrong' })).toBe(200);
    expect(await status(endpoints.fileFormats, { [header.application]: 'wrong' })).toBe(401);
    expect(await status(`${endpoints.providers}?country=GBR`)).toBe(400);
    expect(await status(`${endpoints.providers}/none`)).toBe(404);
  });
});

describe('the sandbox', () => {
  it('answers problems in the shape of the wire: unknown address, wrong method, broken JSON', async () => {
    const sandbox = await testSandbox();
    expect(wire.problem.parse((await sandbox.call('GET', '/v3/nothing')).body).status).toBe(404);
    expect(wire.problem.parse((await sandbox.call('DELETE', endpoints.providers)).body).status).toBe(405);
    const { token } = await sandbox.onboard();
    const broken = await fetch(sandbox.url() + endpoints.batches, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: '{',
    });
    expect(wire.problem.parse(await broken.json())).toMatchObject({ status: 400 });
  });

  it('refuses a caller above the rate, with the time to wait', async () => {
    const sandbox = await testSandbox({ rate: { perSecond: 0.5, burst: 2 } });
    const get = () => sandbox.call('GET', endpoints.consumerStatus);
    expect([(await get()).status, (await get()).status]).toEqual([200, 200]);
    const refused = await get();
    expect({ status: refused.status, wait: refused.headers.get('retry-after') }).toEqual({ status: 429, wait: '2' });
    sandbox.clock.increment(2000);
    expect((await get()).status).toBe(200);
    expect((await sandbox.call('GET', '/')).status).toBe(200);
  });

  it('keeps tokens, pending steps and webhooks over a restart', async () => {
    const sandbox = await testSandbox();
    const who = await sandbox.onboard();
    const { subscriptionId } = (await sandbox.subscribe(who, 'authorises')).body.data;
    await sandbox.restart(1000);
    expect(sandbox.received).toHaveLength(0);
    sandbox.clock.increment(0);
    const read = await sandbox.call('GET', `${endpoints.subscriptions}/${subscriptionId}`, { token: who.token });
    expect(read.body.data.status).toBe('Authorised');
    await sandbox.restart();
    expect((await sandbox.webhook('subscriptionUpdated')).webhook.subscriptionId).toBe(subscriptionId);
  });

  it('is emptied by a reset and keeps running', async () => {
    const sandbox = await testSandbox();
    const { token, subscriptionId } = await sandbox.authorised();
    const reset = (token: string) => sandbox.call('POST', '/sandbox/reset', { body: { token } });
    expect((await sandbox.call('POST', '/sandbox/reset')).status).toBe(400);
    expect((await reset('guessed')).status).toBe(403);
    expect((await reset(sandboxCredentials.resetToken)).status).toBe(204);
    const read = await sandbox.call('GET', `${endpoints.subscriptions}/${subscriptionId}`, { token });
    expect(read.body).toMatchObject({ status: 401, detail: 'The company of this token does not exist' });
    expect((await sandbox.authorised()).subscriptionId).not.toBe(subscriptionId);
  });
});

describe('the pages', () => {
  it('begin with what the sandbox is and the credentials to use', async () => {
    const sandbox = await testSandbox();
    const { text } = await sandbox.call('GET', '/');
    expect(text).toContain('sage.sandbox.console');
    const { apiKey, signingKey, webhookSecret, webhookHeader, resetToken } = sandboxCredentials;
    for (const shown of [apiKey, signingKey, webhookSecret, webhookHeader.value, resetToken])
      expect(text).toContain(shown);
  });

  it('list the latest calls, without what their queries say, until the sandbox is emptied', async () => {
    const sandbox = await testSandbox();
    await sandbox.call('GET', `${endpoints.subscriptions}/nobody?secret=whispered`);
    const home = async () => (await sandbox.call('GET', '/')).text;
    expect(await home()).toContain(`GET ${endpoints.subscriptions}/nobody`);
    expect(await home()).not.toContain('whispered');
    const asked = await sandbox.call('GET', '/sandbox/reset');
    expect(asked.text).toContain('This cannot be undone');
    const emptied = await sandbox.call('POST', '/sandbox/reset', {
      body: new URLSearchParams({ token: sandboxCredentials.resetToken }),
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
    });
    expect([emptied.status, emptied.headers.get('location')]).toEqual([303, '/?emptied']);
    expect(await home()).not.toContain(`${endpoints.subscriptions}/nobody`);
  });

  it('have one primary button, and failures apart', async () => {
    const sandbox = await testSandbox();
    const who = await sandbox.onboard();
    const { subscriptionId } = (await sandbox.subscribe(who, 'asks')).body.data;
    sandbox.clock.increment(10_000);
    const authorise = await sandbox.call('GET', `/provider/subscription/authorise/${subscriptionId}`);
    expect(authorise.text.match(/class="primary"/g)).toHaveLength(1);
    expect(authorise.text.split('Try a failure')[0]).not.toContain('Reject</button>');
  });

  it('record a transfer request and escape what was typed', async () => {
    const sandbox = await testSandbox();
    const path = `${endpoints.transferRequest}?amount=1000.00&currency=USD`;
    const asked = await sandbox.call('GET', path);
    expect(asked.text).toContain('send you 1000.00 USD');
    const send = (email: string) =>
      sandbox.call('POST', path, {
        body: new URLSearchParams({ email, message: 'x' }),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
    const recorded = await send("o'hara@example.com");
    expect(recorded.status).toBe(201);
    expect(recorded.text).toContain('o&#39;hara@example.com');
    expect(recorded.text).toMatch(/<dd>[0-9a-f-]{36}<\/dd>/);
    expect((await send('nobody')).body.errors[0]?.path).toBe('email');
    expect((await sandbox.call('GET', `${endpoints.transferRequest}?amount=<b>&currency=USD`)).status).toBe(400);
  });

  it('do not run what a form returns', async () => {
    const sandbox = await testSandbox();
    const state = `"><script>alert('${randomUUID()}')</script>`;
    const query = { response_type: 'token', scope: 'openid', client_id: 'payments-out-console', state };
    const redirect_uri = 'http://localhost:1/';
    const page = await sandbox.call('GET', `${endpoints.authorize}?${new URLSearchParams({ ...query, redirect_uri })}`);
    expect(page.text).not.toContain('<script>');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    // In a frame without referrers WebKit would send its decision without an origin, and the guard would refuse it.
    expect(page.headers.get('referrer-policy')).toBe('same-origin');
  });
});
