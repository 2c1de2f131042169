import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AccessConfig } from '#server/auth/config.ts';
import { listening } from './listen.ts';

const pair = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const own = pair();
/** A key that the provider does not publish. */
export const foreignKey = pair().privateKey;

/** The public half of a key as a provider publishes it, without a name. */
export const publicKeyOf = (key: KeyObject = own.privateKey): object => createPublicKey(key).export({ format: 'jwk' });

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A JWT of the provider, or of another maker; `key: null` leaves the signature out. */
export function jwtOf(claims: object, header: object = {}, key: KeyObject | null = own.privateKey): string {
  const signed = `${part({ alg: 'RS256', kid: 'own', ...header })}.${part(claims)}`;
  return `${signed}.${key ? sign('sha256', Buffer.from(signed), key).toString('base64url') : ''}`;
}

/** What an answer of the provider is: JSON, or written by the test. */
type Answer = object | ((response: ServerResponse) => void);

/** What a test changes of a provider that is right otherwise. */
export interface Changes {
  /** The header, the claims and the signing key of the ID token; `key: null` leaves the signature out. */
  header?: object;
  claims?: object;
  key?: KeyObject | null;
  metadata?: object;
  /** The answer at the address of the metadata. */
  discovery?: Answer;
  token?: Answer;
  userInfo?: Answer;
  keys?: Answer;
  /** The parameters with which it returns in place of a code. */
  refusal?: Record<string, string>;
  /** The path of its issuer. */
  path?: string;
  /** Is given each request to the token endpoint, and its body. */
  onToken?: (request: IncomingMessage, body: string) => void;
  /** Whether it issues refresh tokens. */
  refreshes?: boolean;
}

/** An OpenID Connect provider at which the user has signed in already, and whose answers the test changes. */
export async function scriptedProvider(publicUrl: string, changes: Changes = {}): Promise<AccessConfig> {
  let nonce = '';
  const claims = (issuer: string) => {
    const now = Math.floor(Date.now() / 1000);
    return { iss: issuer, sub: 'ada', aud: 'console', nonce, iat: now, exp: now + 600, ...changes.claims };
  };
  const idToken = (issuer: string) => jwtOf(claims(issuer), changes.header, changes.key);
  const answersOf = (issuer: string): Record<string, () => Answer> => ({
    '/.well-known/openid-configuration': () =>
      changes.discovery ?? {
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/jwks`,
        ...changes.metadata,
      },
    '/jwks': () => changes.keys ?? { keys: [{ ...publicKeyOf(), kid: 'own', use: 'sig', alg: 'RS256' }] },
    '/token': () =>
      changes.token ?? {
        access_token: 'access',
        token_type: 'Bearer',
        expires_in: 600,
        id_token: idToken(issuer),
        ...(changes.refreshes && { refresh_token: 'refresh' }),
      },
    '/userinfo': () => changes.userInfo ?? { sub: 'ada', name: 'Ada' },
  });
  const { path = '', onToken } = changes;
  const origin = await listening((request, response) => {
    const { pathname: asked, searchParams } = new URL(request.url ?? '', origin);
    const pathname = asked.replace(path, '');
    if (pathname === '/token' && onToken) void text(request).then((body) => onToken(request, body));
    if (pathname === '/auth') {
      nonce = searchParams.get('nonce') ?? '';
      const state = searchParams.get('state') ?? '';
      const query = new URLSearchParams({ ...(changes.refusal ?? { code: 'code-of-ada' }), state });
      const back = `${searchParams.get('redirect_uri')}?${query.toString()}`;
      return void response.writeHead(302, { location: back }).end();
    }
    const answer = answersOf(origin + path)[pathname]?.();
    if (typeof answer === 'function') return void answer(response);
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}));
  });
  return { issuer: origin + path, clientId: 'console', publicUrl };
}
