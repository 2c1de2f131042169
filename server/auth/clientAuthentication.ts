import * as oidc from 'openid-client';

/**
 * Ways to prove with a secret that a request to the token endpoint is this client's, by their names in the provider's
 * metadata; the first that the provider offers is used.
 */
const bySecret: Readonly<Record<string, (secret: string) => oidc.ClientAuth>> = {
  client_secret_basic: oidc.ClientSecretBasic,
  client_secret_post: oidc.ClientSecretPost,
  client_secret_jwt: oidc.ClientSecretJwt,
};

/** The ways that a provider offers: `client_secret_basic` unless it names others (OpenID Connect Discovery 1.0, section 3). */
const offeredBy = ({ token_endpoint_auth_methods_supported: offered }: oidc.ServerMetadata): readonly string[] =>
  Array.isArray(offered) ? offered : ['client_secret_basic'];

/** Returns how the client authenticates, which each provider's metadata decides; without a secret the client is public. */
export function clientAuthentication(secret: string | undefined): oidc.ClientAuth {
  if (secret === undefined) return oidc.None();
  const ways = Object.entries(bySecret).map(([name, way]) => ({ name, authenticate: way(secret) }));
  return (server, ...request) => {
    const offered = offeredBy(server);
    return ways.find(({ name }) => offered.includes(name))?.authenticate(server, ...request);
  };
}

/**
 * Throws if a provider offers no way that the console has. Providers that have public clients often do not say so: a
 * client without a secret is refused only where all ways need a key or a certificate.
 */
export function checkAuthentication(server: oidc.ServerMetadata, secret: string | undefined): void {
  const offered = offeredBy(server);
  const known = Object.keys(bySecret);
  const usable = secret === undefined ? [...known, 'none'] : known;
  if (offered.some((name) => usable.includes(name))) return;
  const advice = offered.includes('none')
    ? 'its clients have no secret: leave OIDC_CLIENT_SECRET out'
    : `the console authenticates by ${known.join(', ')}, or as a public client without OIDC_CLIENT_SECRET: have one of them enabled`;
  throw new Error(
    `the sign-in service accepts at its token endpoint only ${offered.join(', ') || 'nothing'} (token_endpoint_auth_methods_supported); ${advice}`,
  );
}
