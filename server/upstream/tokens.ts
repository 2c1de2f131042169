import { decodeJwt } from 'jose';
import type { Clock } from '#server/clock.ts';
import { Failure } from '#server/failure.ts';
import { bounds } from '#server/json.ts';
import { createCache } from './cache.ts';
import type { Http, Reply } from './http.ts';
import type { Signer } from './signer.ts';
import { answerOf, insistOn, unwrapped } from './replies.ts';
import { endpoints, header, wire } from './wire.ts';

/** Whose token: an organisation's, or one company's within it (upstream-api, section 2.2). */
export interface Organisation {
  organisationId: string;
  signingKey: string;
}
export interface Company extends Organisation {
  companyId: string;
}

/** `expiresAt` in ms. */
export interface Token {
  jwt: string;
  expiresAt: number;
}

/** A token is renewed this long (ms) before it expires, so that it does not expire on its way. */
const margin = 30_000;

export interface Tokens {
  /** Rejects with `unknown-to-service` if the service gives none although it trusts the console. */
  of(owner: Organisation | Company): Promise<Token>;
  /** A new one, asked of the service. */
  fresh(owner: Organisation | Company): Promise<Token>;
  /** Makes a call with the owner's token; if the service no longer takes it (401), once more with a new one. */
  asOwner(owner: Organisation | Company, call: (bearer: Record<string, string>) => Promise<Reply>): Promise<Reply>;
}

interface Deps {
  http: Http;
  signer: Signer;
  clock: Clock;
  /** Whether the service takes the console's own credentials. */
  isTrusted: () => Promise<boolean>;
}

export function createTokens({ http, signer, clock, isTrusted }: Deps): Tokens {
  const cache = createCache<Token>(clock, ({ expiresAt }) => expiresAt - clock.now() - margin);
  const idOf = (owner: Organisation | Company) => ('companyId' in owner ? owner.companyId : '');
  // With the signing key: only who could obtain a token is given one that is kept.
  const keyOf = (owner: Organisation | Company) => `${owner.organisationId}/${idOf(owner)}/${owner.signingKey}`;

  async function obtain(owner: Organisation | Company): Promise<Token> {
    const companyId = idOf(owner);
    const whose = { [header.organisation]: owner.organisationId, ...(companyId && { [header.company]: companyId }) };
    const reply = await http.read(() =>
      signer.signed({ path: endpoints.accessToken, key: owner.signingKey, headers: whose }),
    );
    if (gone.includes(reply.status) && (await isTrusted())) throw unknown(owner.organisationId, companyId, reply);
    const { jwt, access_token, accessToken, token } = answerOf(reply, wire.tokenAnswer, bounds.answer, unwrapped);
    const found = insistOn(jwt ?? access_token ?? accessToken ?? token, 'token', reply);
    return { jwt: found, expiresAt: expiryOf(found) };
  }

  const of = (owner: Organisation | Company) => cache.get(keyOf(owner), () => obtain(owner));

  return {
    of,
    fresh: obtain,
    async asOwner(owner, call) {
      const token = await of(owner);
      const reply = await call({ authorization: `Bearer ${token.jwt}` });
      if (reply.status !== 401) return reply;
      cache.forget(keyOf(owner), token);
      return call({ authorization: `Bearer ${(await of(owner)).jwt}` });
    },
  };
}

/** How the service says that it gives no token; 401 may also be about the console's own credentials. */
const gone = [401, 404, 410];

function unknown(organisationId: string, companyId: string, { status, text, interactionId }: Reply): Failure {
  const whose = `organisation ${organisationId}${companyId && ` and company ${companyId}`}`;
  return new Failure('unknown-to-service', `The payments service gives no token for ${whose}.`, {
    upstream: { status, body: text.slice(0, 10_000) },
    interactionId,
  });
}

function expiryOf(jwt: string): number {
  try {
    return (decodeJwt(jwt).exp ?? 0) * 1000;
  } catch {
    throw new Failure('upstream-invalid', 'The access token of the payments service is not a JWT.');
  }
}
