import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { endpoints } from '#tests/support/endpoints.ts';
import { header } from '#server/upstream/wire.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';
import { authorisePath } from '#server/sandbox/subscription/authorisePage.ts';
import { sign } from '#server/upstream/signature.ts';
import { executionDate } from '#tests/support/executionDate.ts';
import { testSandbox, organisation } from '../harness.ts';

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
    expect(asked.text).toContain('You pay 1000.00 USD');
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

const publicUrl = 'https://sandbox.example';
const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** Makes a request as a proxy on this machine passes it on, with a host name of the proxy's choice. */
const passedOn = (url: string, method: string, headers: Record<string, string>, body = '') =>
  new Promise<{ status: number; location: string; answer: string }>((resolve, reject) => {
    request(url, { method, headers }, (response) => {
      const { statusCode = 0, headers: answered } = response;
      void text(response).then((answer) => resolve({ status: statusCode, location: answered.location ?? '', answer }));
    })
      .on('error', reject)
      .end(body);
  });

describe('a sandbox with a public URL', () => {
  it('uses it in all links for browsers, with the path of the application', async () => {
    const sandbox = await testSandbox({ publicUrl });
    const ada = sandbox.as('user-a');
    const who = await ada.onboard();
    const { subscriptionId } = (await ada.subscribe(who, 'asks')).body.data;
    sandbox.clock.increment(1000);
    const { links } = (await ada.call('GET', `${endpoints.subscriptions}/${subscriptionId}`, { token: who.token }))
      .body;
    expect(links.authorise).toBe(publicUrl + ada.credentials.path + authorisePath(subscriptionId));
    const payments = [{ instructedAmount: { amount: '1.00', currency: 'GBP' }, creditor: { name: 'Example Ltd' } }];
    const batch = {
      externalId: 'b',
      requestedExecutionDateTime: executionDate,
      payments,
      fileFormatId: 'lines',
    };
    const made = (await ada.call('POST', endpoints.batches, { token: who.token, body: { data: batch } })).body;
    expect(made.links.self.startsWith(`${publicUrl}${ada.credentials.path}/v3/`)).toBe(true);
    sandbox.clock.increment(1000);
    const read = () => ada.call('GET', `${endpoints.batches}/${made.data.batchId}`, { token: who.token });
    await expect.poll(async () => (await read()).body.data.status).toBe('PaymentFileAvailable');
    expect((await read()).body.links.paymentFile.startsWith(`${publicUrl}${ada.credentials.path}/files/`)).toBe(true);
  });

  it('shows no secret to a caller behind a local proxy, and accepts forms of its public pages (threat 2.23)', async () => {
    const sandbox = await testSandbox({ publicUrl });
    const who = await sandbox.onboard();
    const { subscriptionId } = (await sandbox.subscribe(who, 'asks')).body.data;
    sandbox.clock.increment(1000);
    for (const host of ['sandbox.example', new URL(sandbox.url()).host]) {
      const home = await passedOn(sandbox.url(), 'GET', { host });
      expect(home.status).toBe(200);
      for (const secret of [sandbox.credentials.apiKey, sandbox.credentials.signingKey, sandbox.credentials.resetToken])
        expect(home.answer).not.toContain(secret);
      expect((await passedOn(`${sandbox.url()}/sandbox/reset`, 'GET', { host })).status).toBe(403);
      const path = authorisePath(subscriptionId);
      const decide = (origin: string) =>
        passedOn(sandbox.url() + path, 'POST', { ...form, host, origin }, 'decision=approve');
      expect(await decide(publicUrl)).toMatchObject({ status: 303, location: path });
      expect(await decide('https://evil.example')).toMatchObject({ status: 403 });
    }
    expect((await passedOn(sandbox.url(), 'GET', { host: 'evil.example' })).status).toBe(403);
  });

  it('accepts a signature over the public address and over the called one', async () => {
    const sandbox = await testSandbox({ publicUrl });
    const { call, credentials } = sandbox.as('user-a');
    const signedAt = async (address: string) => {
      const nonce = randomUUID();
      const body = JSON.stringify(organisation);
      const url = address + credentials.path + endpoints.createOrganisation;
      const signature = sign({ method: 'POST', url, body, nonce, key: credentials.signingKey });
      const headers = { [header.nonce]: nonce, [header.signature]: signature };
      return (await call('POST', endpoints.createOrganisation, { body: organisation, headers })).status;
    };
    expect([await signedAt(publicUrl), await signedAt(sandbox.url())]).toEqual([201, 201]);
    expect(await signedAt('https://elsewhere.example')).toBe(401);
  });

  it('returns logins to the console’s public URL, and to no other host', async () => {
    const back = 'https://console.example/api/jwtredirect';
    const sandbox = await testSandbox({ publicUrl, redirectUris: [back] });
    const { call, credentials } = sandbox.as('user-a');
    const login = (redirect: string) =>
      call('POST', endpoints.authorize, {
        body: new URLSearchParams({
          response_type: 'token',
          scope: 'openid',
          client_id: credentials.clientId,
          redirect_uri: redirect,
          state: 's',
          outcome: 'login',
          name: 'Ada',
          email: 'ada@example.com',
        }),
        headers: form,
      });
    const { status, headers } = await login(back);
    expect([status, headers.get('location')?.split('#')[0]]).toEqual([303, back]);
    for (const other of [`${back}/x`, 'https://console.example.evil/api/jwtredirect', 'https://console.example/'])
      expect((await login(other)).status).toBe(400);
  });
});
