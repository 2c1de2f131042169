import { generateKeyPairSync } from 'node:crypto';
import type { RequestListener } from 'node:http';
import Provider from 'oidc-provider';
import type { AccessConfig } from '#server/auth/config.ts';
import { listening } from './listen.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const clientSecret = 'the-client-secret';

/** The provider's behaviour; a test may change it at any time. */
export interface Behaviour {
  /** Users that the provider no longer knows. */
  disabled?: ReadonlySet<string>;
  /** Whether it issues refresh tokens, a new one for each one used. */
  refreshes?: boolean;
  /** How requests fail; undefined if they do not. */
  fails?: 'silent' | 'broken' | 'cut' | undefined;
  /** Collects the paths of all requests. */
  asked?: string[];
}

/**
 * Starts a real OpenID Connect provider with the console at `publicUrl` as a client. Any name signs in with any
 * password; PKCE is required. Returns the access configuration for the console. It runs until the test ends, or what
 * `whenOver` is given is called.
 */
export async function identityProvider(
  publicUrl: string,
  behaviour: Behaviour = {},
  whenOver?: (end: () => void) => void,
): Promise<AccessConfig> {
  let handle: RequestListener = (_request, response) => void response.writeHead(503).end();
  const issuer = await listening(
    (request, response) => {
      behaviour.asked?.push(new URL(request.url ?? '', issuer).pathname);
      if (behaviour.fails === 'broken') response.writeHead(500).end();
      else if (behaviour.fails === 'cut') request.socket.destroy();
      else if (behaviour.fails !== 'silent') void handle(request, response);
    },
    undefined,
    whenOver,
  );
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'console',
        client_secret: clientSecret,
        redirect_uris: [`${publicUrl}/signin/callback`],
        post_logout_redirect_uris: [`${publicUrl}/signedout`],
        grant_types: ['authorization_code', ...(behaviour.refreshes ? ['refresh_token'] : [])],
      },
    ],
    findAccount: (_ctx, sub) =>
      behaviour.disabled?.has(sub)
        ? undefined
        : { accountId: sub, claims: () => ({ sub, name: `${sub.replace(/ .*/, '')} <& Co>` }) },
    issueRefreshToken: () => behaviour.refreshes === true,
    rotateRefreshToken: true,
    claims: { openid: ['sub'], profile: ['name'] },
    cookies: { keys: ['a key for cookies'] },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kty: 'RSA', use: 'sig', alg: 'RS256' }] },
    // Replaces the library's sign-out page, which loads a font from the network.
    features: {
      rpInitiatedLogout: {
        logoutSource: (ctx, form) => {
          ctx.body = `${form}<button type="submit" form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button>`;
        },
      },
    },
    pkce: { required: () => true },
    ttl: {
      Session: 3600,
      Interaction: 3600,
      Grant: 3600,
      AccessToken: 3600,
      IdToken: 3600,
      AuthorizationCode: 60,
      RefreshToken: 3600,
    },
  });
  const answer = provider.callback();
  handle = (request, response) => void answer(request, response);
  return { issuer, clientId: 'console', clientSecret, publicUrl };
}
