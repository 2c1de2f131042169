import * as oidc from 'openid-client';
import { createSingleFlight } from '#server/concurrency.ts';
import { nonceOf, stateOf } from './signInAttempts.ts';
import type { Attempt } from './signInAttempts.ts';
import { boundedFetch, displayName } from './providerAnswers.ts';
import { defaultScope } from './config.ts';
import { createFetch } from '#server/http/outgoingProxy.ts';
import { callbackPath, signedOutPath } from '#server/http/paths.ts';
import type { Claims } from './allowed.ts';
import type { AccessConfig } from './config.ts';

/** Tokens for asking the provider whether a user may continue. */
interface Tokens {
  accessToken: string;
  /** Absent if the provider issues none. */
  refreshToken?: string;
}

/** The signed-in user. `idToken` is needed to end the provider's session. */
export interface Identity extends Tokens {
  issuer: string;
  subject: string;
  name: string;
  idToken: string;
  userInfo: Claims;
}

/** The provider's refusal of a user. */
export interface Refusal {
  refused: unknown;
}

/** What the provider confirms; `idToken` and `userInfo` are absent if it did not send them again. */
export type Confirmed = Tokens & Partial<Pick<Identity, 'idToken' | 'userInfo'>>;

/** Time-out (s) of a request to the provider. */
const timeout = 10;

/**
 * The client of the OpenID Connect provider: authorization code flow with PKCE. Every call rejects if the provider
 * cannot be reached.
 */
export function createProvider(
  { issuer, clientId, clientSecret, publicUrl, scope }: AccessConfig,
  fetch = createFetch(),
) {
  const discovery = createSingleFlight<oidc.Configuration>();
  let discovered: oidc.Configuration | undefined;

  /** Discovered at the first use, so that the console starts even if the provider is down; a failure is not cached. */
  const configuration = async () => (discovered ??= await discover());
  const discover = () =>
    discovery.run('', () =>
      oidc.discovery(
        new URL(issuer),
        clientId,
        undefined,
        clientSecret === undefined ? oidc.None() : oidc.ClientSecretBasic(clientSecret),
        {
          timeout,
          [oidc.customFetch]: boundedFetch(fetch),
          execute: [
            oidc.enableNonRepudiationChecks,
            // Plain HTTP is accepted only for a provider on this machine.
            ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []),
          ],
        },
      ),
    );

  return {
    /** Asks the provider for its metadata; rejects if users cannot sign in now. */
    async discover(): Promise<void> {
      const found = await discover();
      discovered ??= found; // later ones would have the provider's keys fetched again
    },

    /** Returns the URL to send the browser to, and the secret of the attempt. */
    async start(): Promise<{ url: string; secret: string }> {
      const secret = oidc.randomPKCECodeVerifier();
      const url = oidc.buildAuthorizationUrl(await configuration(), {
        redirect_uri: publicUrl + callbackPath,
        scope: scope ?? defaultScope,
        state: stateOf({ secret }),
        nonce: nonceOf({ secret }),
        code_challenge: await oidc.calculatePKCECodeChallenge(secret),
        code_challenge_method: 'S256',
      });
      return { url: url.href, secret };
    },

    /**
     * Exchanges the code returned by the browser for tokens. Rejects unless the code belongs to the attempt, and the ID
     * token is signed by a key of the provider and issued to this client.
     */
    async finish(query: string, attempt: Attempt): Promise<Identity> {
      const known = await configuration();
      const tokens = await oidc.authorizationCodeGrant(known, new URL(publicUrl + callbackPath + query), {
        pkceCodeVerifier: attempt.secret,
        expectedState: stateOf(attempt),
        expectedNonce: nonceOf(attempt),
        idTokenExpected: true,
      });
      const { iss, sub, azp } = tokens.claims()!; // present, because an ID token was required
      // The library compares it only if the token has several audiences.
      if (azp !== undefined && azp !== clientId) throw new Error('the ID token was issued to another client (azp)');
      const userInfo = await userInfoOf(known, tokens.access_token, sub);
      const idToken = tokens.id_token!; // as above
      return { issuer: iss, subject: sub, name: displayName(userInfo), idToken, userInfo, ...tokensOf(tokens) };
    },

    /**
     * Asks the provider whether the user may continue: refreshes the token if possible, and reads the user's claims.
     * Resolves with the tokens for the next time and the claims, or with the refusal of the provider. If reading the
     * claims fails for any other reason, the refreshed tokens are still returned.
     */
    async confirm({ subject, ...tokens }: Tokens & Pick<Identity, 'subject'>): Promise<Confirmed | Refusal> {
      const known = await configuration();
      let renewed: Confirmed | undefined;
      try {
        if (tokens.refreshToken !== undefined) {
          const answer = await oidc.refreshTokenGrant(known, tokens.refreshToken);
          if (answer.id_token !== undefined && answer.claims()?.sub !== subject)
            return { refused: new Error('the refreshed ID token names another user (sub)') };
          renewed = {
            ...{ ...tokens, ...tokensOf(answer) },
            ...(answer.id_token !== undefined && { idToken: answer.id_token }),
          };
        }
        const { accessToken } = renewed ?? tokens;
        return { ...(renewed ?? { accessToken }), userInfo: await userInfoOf(known, accessToken, subject) };
      } catch (error) {
        // The client's own credentials say nothing about the user.
        if (renewed || tokens.refreshToken === undefined ? isRefusal(error) : isSpent(error)) return { refused: error };
        if (!renewed) throw error;
        return renewed;
      }
    },

    /**
     * Returns the URL that also ends the provider's session; the console's signed-out page if the provider has no such
     * URL.
     */
    async endUrl(idToken: string): Promise<string> {
      const back = publicUrl + signedOutPath;
      const known = await configuration();
      if (known.serverMetadata().end_session_endpoint === undefined) return back;
      return oidc.buildEndSessionUrl(known, { id_token_hint: idToken, post_logout_redirect_uri: back }).href;
    },
  };
}

export type Provider = ReturnType<typeof createProvider>;

/** The claims of the userinfo endpoint, with the issuer as in an ID token. */
async function userInfoOf(known: oidc.Configuration, accessToken: string, subject: string) {
  const claims = await oidc.fetchUserInfo(known, accessToken, subject);
  return { ...claims, iss: known.serverMetadata().issuer };
}

const tokensOf = ({ access_token: accessToken, refresh_token: refreshToken }: oidc.TokenEndpointResponse): Tokens => ({
  accessToken,
  ...(refreshToken !== undefined && { refreshToken }),
});

/** Whether the provider refuses the refresh token. */
const isSpent = (error: unknown): boolean => error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant';

/**
 * Whether an error means that the provider refuses an access token or assigns it to another user; other errors say nothing
 * about the user.
 */
function isRefusal(error: unknown): boolean {
  if (error instanceof oidc.WWWAuthenticateChallengeError) return [400, 401, 403].includes(error.status);
  if (!(error instanceof oidc.ClientError)) return false;
  const { cause } = error;
  const [inner] = [cause, cause instanceof Error ? cause.cause : undefined].filter((each) => each instanceof Response);
  return error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED' || [401, 403].includes(inner?.status ?? 0);
}
