import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

interface Client {
  issuer: string;
  port: number;
  publicUrl: string;
  clientId: string;
  clientSecret: string;
}

/**
 * Starts an OpenID Connect provider behind TLS: any name signs in by any password, and has a verified address at
 * example.com unless it is an address itself. `removed` holds the names that it no longer knows.
 */
export async function startProvider({ issuer, port, publicUrl, clientId, clientSecret }: Client) {
  const removed = new Set<string>();
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const hour = 3600;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${publicUrl}/signin/callback`],
        post_logout_redirect_uris: [`${publicUrl}/signedout`],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    findAccount: (_context, sub) => {
      const email = sub.includes('@') ? sub : `${sub}@example.com`;
      const claims = () => ({ sub, name: sub, email, email_verified: true });
      return removed.has(sub) ? undefined : { accountId: sub, claims };
    },
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    pkce: { required: () => true },
    cookies: { keys: [clientSecret] },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kty: 'RSA', use: 'sig', alg: 'RS256' }] },
    ttl: { Session: hour, Interaction: hour, Grant: hour, AccessToken: hour, IdToken: hour, RefreshToken: hour },
  });
  provider.proxy = true; // nginx ends TLS
  const answer = provider.callback();
  const server = createServer((request, response) => void answer(request, response)).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    removed,
    end() {
      server.closeAllConnections();
      server.close();
    },
  };
}
