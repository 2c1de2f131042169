import { createPrivateKey, sign } from 'node:crypto';
import { Response } from 'undici';
import type { AccessConfig } from '#server/auth/config.ts';
import { callbackPath, signInPath } from '#server/http/paths.ts';
import type { Fetch } from '#server/http/outgoingProxy.ts';
import { seededKey } from '#server/sandbox/seeded.ts';
import { consoleUrl } from './network.ts';
import type { Scheduler } from './scheduler.ts';

const issuer = 'http://signin.example';
export const access: AccessConfig = { issuer, clientId: 'console', clientSecret: 'secret', publicUrl: consoleUrl };

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The OpenID Connect provider of a world: signs in whoever asks. */
export function createIdentityProvider(scheduler: Scheduler) {
  const { n, e, kid, kty } = seededKey;
  const key = createPrivateKey({ format: 'jwk', key: { ...seededKey, kty: 'RSA' } });
  const choice = scheduler.of('identity provider');
  /** The user and the nonce of each code; the user of each access token. */
  const codes = new Map<string, { sub: string; nonce: string }>();
  const users = new Map<string, string>();

  function idToken({ sub, nonce }: { sub: string; nonce: string }): string {
    const now = Math.floor(scheduler.now() / 1000);
    const claims = { iss: issuer, aud: access.clientId, sub, nonce, iat: now, exp: now + 3600 };
    const text = `${base64({ alg: 'RS256', kid })}.${base64(claims)}`;
    return `${text}.${sign('RSA-SHA256', Buffer.from(text), key).toString('base64url')}`;
  }
  function token(body: string): Response {
    const code = codes.get(new URLSearchParams(body).get('code') ?? '');
    if (!code) return Response.json({ error: 'invalid_grant' }, { status: 400 });
    const accessToken = crypto.randomUUID();
    users.set(accessToken, code.sub);
    return Response.json({ access_token: accessToken, token_type: 'bearer', id_token: idToken(code) });
  }

  const fetch: Fetch = async (url, init) => {
    await scheduler.wait(choice.between(1, 20));
    const path = new URL(url).pathname;
    if (path.endsWith('/openid-configuration'))
      return Response.json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      });
    if (path === '/jwks') return Response.json({ keys: [{ n, e, kid, kty, use: 'sig', alg: 'RS256' }] });
    if (path === '/token') return token((init?.body as URLSearchParams).toString()); // of the library
    const bearer = new Headers(init?.headers as HeadersInit).get('authorization') ?? ''; // of the library
    const sub = users.get(bearer.replace(/^bearer /i, ''));
    return sub === undefined ? new Response(null, { status: 401 }) : Response.json({ sub, name: sub });
  };

  /** Signs a user in at the console. Returns the cookie of the session. */
  async function signIn(sub: string, visit: typeof globalThis.fetch): Promise<string> {
    const started = await visit(consoleUrl + signInPath);
    const asked = new URL(started.headers.get('location') ?? '').searchParams;
    const code = crypto.randomUUID();
    codes.set(code, { sub, nonce: asked.get('nonce') ?? '' });
    const query = new URLSearchParams({ code, state: asked.get('state') ?? '' }).toString();
    const back = await visit(`${consoleUrl}${callbackPath}?${query}`, { headers: { cookie: cookiesOf(started) } });
    return cookiesOf(back);
  }
  return { fetch, signIn };
}

/** The cookies that an answer sets. */
const cookiesOf = ({ headers }: { headers: Headers }): string =>
  headers
    .getSetCookie()
    .map((each) => each.split(';')[0] ?? '')
    .filter((each) => !each.endsWith('='))
    .join('; ');
