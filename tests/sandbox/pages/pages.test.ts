import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { endpoints } from '#server/upstream/wire.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';
import { testSandbox } from '../harness.ts';

describe('the pages', () => {
  it('begin with a description of the sandbox and its credentials', async () => {
    const sandbox = await testSandbox();
    const { text } = await sandbox.call('GET', '/');
    expect(text).toContain('sage.sandbox.console');
    const { apiKey, signingKey, webhookSecret, webhookHeader, resetToken } = sandboxCredentials;
    for (const shown of [apiKey, signingKey, webhookSecret, webhookHeader.value, resetToken])
      expect(text).toContain(shown);
  });

  it('list the latest calls, without their query parameters, until the sandbox is emptied', async () => {
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

  it.each([
    ['Example Trading Ltd', 'Example Trading Ltd asks to make payments'],
    ['<b>Sons & Co</b>', '&lt;b&gt;Sons &amp; Co&lt;/b&gt; asks to make payments'],
    ['   ', 'A company asks to make payments'],
  ])('name the company "%s" that asks for approval', async (name, asks) => {
    const sandbox = await testSandbox();
    const who = await sandbox.onboard({ name });
    const { subscriptionId } = (await sandbox.subscribe(who, 'asks')).body.data;
    sandbox.clock.increment(10_000);
    const { text } = await sandbox.call('GET', `/provider/subscription/authorise/${subscriptionId}`);
    expect(text).toContain(asks);
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
