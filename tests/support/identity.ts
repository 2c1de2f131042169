import { generateKeyPairSync } from 'node:crypto';
import type { RequestListener } from 'node:http';
import Provider from 'oidc-provider';
import type { AccessConfig } from '#server/access/config.ts';
import { listening } from './listen.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const clientSecret = 'the-client-secret';

/** How the provider behaves; a test may change it at any time. */
export interface Behaviour {
  /** Users that it no longer knows. */
  disabled?: ReadonlySet<string>;
  /** Gives refresh tokens, a new one for each that is used. */
  refreshes?: boolean;
  /** What becomes of requests instead of an answer. */
  fails?: 'silent' | 'broken' | 'cut' | undefined;
  /** Counts the requests by path. */
  asked?: string[];
}

/**
 * A real OpenID Connect provider that knows the console at `publicUrl`. Any name logs in with any password; it insists on
 * PKCE. Gives the console's side of the registration.
 */
export async function identityProvider(publicUrl: string, behaviour: Behaviour = {}): Promise<AccessConfig> {
  let handle: RequestListener = (_request, response) => void response.writeHead(503).end();
  const issuer = await listening((request, response) => {
    behaviour.asked?.push(new URL(request.url ?? '', issuer).pathname);
    if (behaviour.fails === 'broken') response.writeHead(500).end();
    else if (behaviour.fails === 'cut') request.socket.destroy();
    else if (behaviour.fails !== 'silent') void handle(request, response);
  });
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
    // Its own page asks a font of another machine.
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
