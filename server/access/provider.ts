import * as oidc from 'openid-client';
import { nonceOf, stateOf } from './attempts.ts';
import type { Attempt } from './attempts.ts';
import { callbackPath, signedOutPath } from './config.ts';
import type { AccessConfig } from './config.ts';

/** Who has signed in; `idToken` is the provider's word, to end the provider's own session with. */
export interface Identity {
  issuer: string;
  subject: string;
  name: string;
  idToken: string;
}

/** Longest wait (s) for one answer of the provider. */
const patience = 10;

/** The OpenID Connect provider: authorization code flow with PKCE. Every call rejects if the provider cannot be asked. */
export function createProvider({ issuer, clientId, clientSecret, publicUrl }: AccessConfig) {
  let discovered: Promise<oidc.Configuration> | undefined;

  /** Asked for once it is needed, so that the console starts without the provider; a failure is not kept. */
  const configuration = () =>
    (discovered ??= oidc
      .discovery(
        new URL(issuer),
        clientId,
        undefined,
        clientSecret === undefined ? oidc.None() : oidc.ClientSecretBasic(clientSecret),
        // The configuration takes plain HTTP from this machine itself only.
        { timeout: patience, ...(issuer.startsWith('http:') && { execute: [oidc.allowInsecureRequests] }) },
      )
      .catch((error: unknown) => {
        discovered = undefined;
        throw error;
      }));

  return {
    /** Where to send the browser, and the secret of the attempt that it must come back with. */
    async start(): Promise<{ url: string; secret: string }> {
      const secret = oidc.randomPKCECodeVerifier();
      const url = oidc.buildAuthorizationUrl(await configuration(), {
        redirect_uri: publicUrl + callbackPath,
        scope: 'openid profile email',
        state: stateOf({ secret }),
        nonce: nonceOf({ secret }),
        code_challenge: await oidc.calculatePKCECodeChallenge(secret),
        code_challenge_method: 'S256',
      });
      return { url: url.href, secret };
    },

    /** Redeems the code that the browser came back with. Rejects unless it belongs to the attempt. */
    async finish(query: string, attempt: Attempt): Promise<Identity> {
      const known = await configuration();
      const tokens = await oidc.authorizationCodeGrant(known, new URL(publicUrl + callbackPath + query), {
        pkceCodeVerifier: attempt.secret,
        expectedState: stateOf(attempt),
        expectedNonce: nonceOf(attempt),
        idTokenExpected: true,
      });
      const { iss, sub } = tokens.claims()!; // an ID token was insisted on
      const { name, preferred_username: username, email } = await oidc.fetchUserInfo(known, tokens.access_token, sub);
      return { issuer: iss, subject: sub, name: name ?? username ?? email ?? sub, idToken: tokens.id_token! }; // as above
    },

    /** Where the browser goes to end the provider's session as well; straight back if the provider offers no such thing. */
    async endUrl(idToken: string): Promise<string> {
      const back = publicUrl + signedOutPath;
      const known = await configuration();
      if (known.serverMetadata().end_session_endpoint === undefined) return back;
      return oidc.buildEndSessionUrl(known, { id_token_hint: idToken, post_logout_redirect_uri: back }).href;
    },
  };
}
