import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '#server/config/config.ts';
import { authorisePath } from '#server/sandbox/subscription/authorisePage.ts';
import { credentialsOf } from '#server/sandbox/credentials.ts';
import { sandboxSecretOf } from '#server/embedded/secretFile.ts';
import { temporaryFolder } from '#tests/support/store.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';
import { testSandbox } from '../harness.ts';

/** Makes a request with headers that fetch does not allow. */
async function ask(url: string, method: string, headers: Record<string, string>, body = '') {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { method, headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers } }, resolve)
      .on('error', reject)
      .end(body);
  });
  return { status: response.statusCode, text: await text(response) };
}

const token = `token=${sandboxCredentials.resetToken}`;

describe('another page of the browser', () => {
  it.each<[string, Record<string, string>]>([
    ['by its origin', { origin: 'https://evil.example' }],
    ['from a frame without an origin', { origin: 'null' }],
    ['from the console', { origin: 'http://127.0.0.1:3000' }],
    ['by what the browser says', { 'sec-fetch-site': 'cross-site' }],
    ['from another port of this machine', { 'sec-fetch-site': 'same-site' }],
    ['whose name was pointed here', { host: 'evil.example', origin: 'http://evil.example' }],
  ])('cannot empty the sandbox, nor decide about a subscription: %s (threat 1.10)', async (_, headers) => {
    const sandbox = await testSandbox();
    const { subscriptionId } = (await sandbox.subscribe(await sandbox.onboard(), 'authorises')).body.data;
    for (const [path, body] of [
      ['/sandbox/reset', token],
      [authorisePath(subscriptionId), 'decision=approve'],
    ] as const)
      expect(await ask(sandbox.url() + path, 'POST', headers, body)).toMatchObject({ status: 403 });
    expect((await ask(sandbox.url() + authorisePath(subscriptionId), 'GET', {})).status).toBe(200);
  });

  it('cannot read the credentials by DNS rebinding (threat 1.10)', async () => {
    const sandbox = await testSandbox();
    const read = await ask(sandbox.url(), 'GET', { host: 'evil.example' });
    expect(read.status).toBe(403);
    for (const secret of [sandboxCredentials.apiKey, sandboxCredentials.webhookSecret])
      expect(read.text).not.toContain(secret);
  });

  it('is distinguished from the sandbox’s own', async () => {
    const sandbox = await testSandbox();
    const own = { origin: sandbox.url(), 'sec-fetch-site': 'same-origin' };
    expect((await ask(`${sandbox.url()}/sandbox/reset`, 'POST', own, token)).status).toBe(204);
  });
});

describe('the sandbox’s secret', () => {
  const of = (environment: Record<string, string>) => credentialsOf(sandboxSecretOf(parseConfig(environment)).secret);

  it('is created for each installation, stored, and can be configured (threat 2.5)', () => {
    const [one, other] = [temporaryFolder(), temporaryFolder()];
    expect(of({ DATA_DIR: one })).toEqual(of({ DATA_DIR: one }));
    const [mine, others] = [of({ DATA_DIR: one }), of({ DATA_DIR: other })];
    for (const name of ['apiKey', 'signingKey', 'webhookSecret', 'resetToken'] as const)
      expect(mine[name]).not.toBe(others[name]);
    const given = { SANDBOX_SECRET: 'a secret of my own' };
    expect(of({ DATA_DIR: one, ...given })).toEqual(of({ DATA_DIR: other, ...given }));
    expect(() => parseConfig({ SANDBOX_SECRET: 'short' })).toThrow(/^SANDBOX_SECRET is wrong: /);
  });

  it('does not open the sandbox to others with the console, only by its own variable (threat 2.4)', () => {
    const access = { OIDC_ISSUER: 'https://a.example', OIDC_CLIENT_ID: 'c', PUBLIC_URL: 'https://b.example' };
    expect(parseConfig({ HOST: '0.0.0.0', ...access })).toMatchObject({ host: '0.0.0.0', sandboxHost: '127.0.0.1' });
    expect(parseConfig({ SANDBOX_HOST: '0.0.0.0' })).toMatchObject({ host: '127.0.0.1', sandboxHost: '0.0.0.0' });
  });
});
