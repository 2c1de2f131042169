import { generateKeyPairSync } from 'node:crypto';
import type { RequestListener } from 'node:http';
import Provider from 'oidc-provider';
import type { AccessConfig } from '#server/access/config.ts';
import { listening } from './listen.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const clientSecret = 'the-client-secret';

/**
 * A real OpenID Connect provider that knows the console at `publicUrl`. Any name logs in with any password; it insists on
 * PKCE. Gives the console's side of the registration.
 */
export async function identityProvider(publicUrl: string): Promise<AccessConfig> {
  let handle: RequestListener = (_request, response) => void response.writeHead(503).end();
  const issuer = await listening((request, response) => void handle(request, response));
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'console',
        client_secret: clientSecret,
        redirect_uris: [`${publicUrl}/signin/callback`],
        post_logout_redirect_uris: [`${publicUrl}/signedout`],
      },
    ],
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub, name: `${sub} <& Co>` }) }),
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
    ttl: { Session: 3600, Interaction: 3600, Grant: 3600, AccessToken: 3600, IdToken: 3600, AuthorizationCode: 60 },
  });
  const answer = provider.callback();
  handle = (request, response) => void answer(request, response);
  return { issuer, clientId: 'console', clientSecret, publicUrl };
}
