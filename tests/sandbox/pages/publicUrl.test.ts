import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { authorisePath } from '#server/sandbox/subscription/authorisePage.ts';
import { sign } from '#server/upstream/signature.ts';
import { endpoints, header } from '#server/upstream/wire.ts';
import { organisation, testSandbox } from '../harness.ts';
import { executionDate } from '#tests/support/executionDate.ts';

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
