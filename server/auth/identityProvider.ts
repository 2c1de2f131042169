import * as oidc from 'openid-client';
import { createSingleFlight } from '#server/concurrency.ts';
import { systemClock } from '#server/clock.ts';
import type { Clock } from '#server/clock.ts';
import { checkAuthentication, clientAuthentication } from './clientAuthentication.ts';
import { nonceOf, stateOf } from './signInAttempts.ts';
import type { Attempt } from './signInAttempts.ts';
import { boundedFetch, displayName } from './providerAnswers.ts';
import { defaultScope } from './config.ts';
import { createFetch } from '#server/http/outgoingProxy.ts';
import { callbackPath, signedOutPath } from '#server/http/paths.ts';
import { claimsOf } from './allowed.ts';
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
  /** Absent if the provider has no userinfo endpoint: the ID token has the claims. */
  userInfo?: Claims;
}

/** The provider's refusal of a user. */
export interface Refusal {
  refused: unknown;
}

/** What the provider confirms; `idToken` and `userInfo` are absent if it did not send them again. */
export type Confirmed = Tokens & Partial<Pick<Identity, 'idToken' | 'userInfo'>>;

/** Time-out (s) of a request to the provider. */
const timeout = 10;
/** Maximum difference (s) between the provider's clock and this machine's. */
const clockTolerance = 30;

/**
 * The client of the OpenID Connect provider: authorization code flow with PKCE. Every call rejects if the provider
 * cannot be reached.
 */
export function createProvider(
  { issuer, clientId, clientSecret, publicUrl, scope }: AccessConfig,
  fetch = createFetch(),
  clock: Pick<Clock, 'now'> = systemClock,
) {
  const discovery = createSingleFlight<Discovered>();
  let discovered: Discovered | undefined;

  /** Discovered at the first use, so that the console starts even if the provider is down; a failure is not cached. */
  const configuration = async () => (discovered ??= await discover());
  const customFetch = boundedFetch(fetch);
  const execute = [
    oidc.enableNonRepudiationChecks,
    // Plain HTTP is accepted only for a provider on this machine.
    ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []),
  ];
  const discover = () =>
    discovery.run('', async () => {
      const metadata = { [oidc.clockTolerance]: clockTolerance };
      const authentication = clientAuthentication(clientSecret);
      const options = { timeout, execute, [oidc.customFetch]: customFetch };
      const known = await oidc.discovery(new URL(issuer), clientId, metadata, authentication, options);
      const server = known.serverMetadata();
      checkAddresses(server);
      checkAuthentication(server, clientSecret);
      return { known, ...(server.userinfo_endpoint && { reader: readerOf(server, metadata) }) }; // some state null or ''
    });

  /** The client of the userinfo endpoint. A signed answer has the ID tokens' algorithms unless metadata names others. */
  function readerOf(server: oidc.ServerMetadata, metadata: object): oidc.Configuration {
    const algorithms = server.id_token_signing_alg_values_supported ?? ['RS256'];
    const reader = new oidc.Configuration(
      { userinfo_signing_alg_values_supported: algorithms, ...server },
      clientId,
      metadata,
    );
    reader.timeout = timeout;
    reader[oidc.customFetch] = customFetch;
    for (const extend of execute) extend(reader);
    return reader;
  }

  return {
    /** Asks the provider for its metadata; rejects if users cannot sign in now. */
    async discover(): Promise<void> {
      const found = await discover();
      discovered ??= found; // later ones would have the provider's keys fetched again
    },

    /** Returns the URL to send the browser to, and the secret of the attempt. */
    async start(): Promise<{ url: string; secret: string }> {
      const secret = oidc.randomPKCECodeVerifier();
      const url = oidc.buildAuthorizationUrl((await configuration()).known, {
        redirect_uri: publicUrl + callbackPath,
        scope: scope ?? defaultScope,
        state: stateOf(secret),
        nonce: nonceOf(secret),
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
      const { known, reader } = await configuration();
      const tokens = await oidc.authorizationCodeGrant(known, new URL(publicUrl + callbackPath + query), {
        pkceCodeVerifier: attempt.secret,
        expectedState: stateOf(attempt.secret),
        expectedNonce: nonceOf(attempt.secret),
        idTokenExpected: true,
      });
      const claims = tokens.claims()!; // present, because an ID token was required
      const { iss, sub, azp } = claims;
      // The library compares it only if the token has several audiences.
      if (azp !== undefined && azp !== clientId) throw new Error('the ID token was issued to another client (azp)');
      const read = await userInfoOf(reader, tokens.access_token, sub);
      const idToken = tokens.id_token!; // as above
      return {
        issuer: iss,
        subject: sub,
        name: displayName({ ...claims, ...read.userInfo }),
        idToken,
        ...read,
        ...tokensOf(tokens),
      };
    },

    /**
     * Asks the provider whether the user may continue: refreshes the token if possible, and reads the user's claims.
     * Resolves with the tokens for the next time and the claims, or with the refusal of the provider. If reading the
     * claims fails for any other reason, the refreshed tokens are still returned. A provider that can be asked neither way
     * has confirmed the user until the ID token expires.
     */
    async confirm(session: Tokens & Pick<Identity, 'subject' | 'idToken'>): Promise<Confirmed | Refusal> {
      const { subject, accessToken, refreshToken } = session;
      const { known, reader } = await configuration();
      if (!reader && refreshToken === undefined)
        return isExpired(session.idToken, clock.now()) ? { refused: new Error(expired) } : { accessToken };
      let renewed: Confirmed | undefined;
      try {
        if (refreshToken !== undefined) {
          const answer = await oidc.refreshTokenGrant(known, refreshToken);
          if (answer.id_token !== undefined && answer.claims()?.sub !== subject)
            return { refused: new Error('the refreshed ID token names another user (sub)') };
          renewed = {
            refreshToken,
            ...tokensOf(answer),
            ...(answer.id_token !== undefined && { idToken: answer.id_token }),
          };
        }
        const tokens = renewed ?? { accessToken };
        return { ...tokens, ...(await userInfoOf(reader, tokens.accessToken, subject)) };
      } catch (error) {
        // The client's own credentials say nothing about the user.
        if (renewed || refreshToken === undefined ? isRefusal(error) : isSpent(error)) return { refused: error };
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
      const { known } = await configuration();
      if (known.serverMetadata().end_session_endpoint === undefined) return back;
      return oidc.buildEndSessionUrl(known, { id_token_hint: idToken, post_logout_redirect_uri: back }).href;
    },
  };
}

export type Provider = ReturnType<typeof createProvider>;

/** Throws if the metadata lack an address that each sign-in needs. */
function checkAddresses(server: oidc.ServerMetadata): void {
  const needed = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;
  const missing = needed.filter((name) => !URL.canParse(String(server[name])));
  if (missing.length === 0) return;
  throw new Error(
    `the metadata of the sign-in service have no address as ${missing.join(', ')}: OIDC_ISSUER has to be a provider of OpenID Connect, which signs users in by a code and publishes its keys`,
  );
}

/** The provider's metadata; `reader` asks its userinfo endpoint, and is absent if it has none. */
interface Discovered {
  known: oidc.Configuration;
  reader?: oidc.Configuration;
}

/** The claims of the userinfo endpoint, with the issuer as in an ID token; none without the endpoint. */
async function userInfoOf(
  reader: oidc.Configuration | undefined,
  accessToken: string,
  subject: string,
): Promise<{ userInfo?: Claims }> {
  if (!reader) return {};
  const claims = await oidc.fetchUserInfo(reader, accessToken, subject);
  return { userInfo: { ...claims, iss: reader.serverMetadata().issuer } };
}

/** Why a user whom the provider cannot be asked about has to sign in again. */
const expired =
  'the ID token has expired, and the sign-in service has no userinfo endpoint and has issued no refresh token';

/** The last second of the year 9999: a later time is one in ms. */
const lastSecond = Date.UTC(10_000, 0) / 1000 - 1;

/** Whether an ID token says that it is no longer valid at a time (ms). */
function isExpired(idToken: string, now: number): boolean {
  const exp = Number(claimsOf(idToken)['exp']);
  return (exp > lastSecond ? exp : exp * 1000) <= now;
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
