import { decodeJwt } from 'jose';
import { requests } from '#contract/requests/requests.ts';
import type { Clock } from '#server/clock.ts';
import { Failure } from '#server/failure.ts';
import { bounds } from '#server/http/json.ts';
import { createCache, createKept } from './cache.ts';
import type { Cache, Kept, Loaded } from './cache.ts';
import type { Http, Reply } from './http.ts';
import type { Signer } from './signer.ts';
import { answerOf, evidence, insistOn, unwrapped } from './replies.ts';
import { wire } from './wire.ts';

/** The owner of an access token: an organisation, or one of its companies (wire, section 2.2). */
export interface Organisation {
  organisationId: string;
  signingKey: string;
}
export interface Company extends Organisation {
  companyId: string;
}

/** An access token; `expiresAt` in ms. */
export interface Token {
  jwt: string;
  expiresAt: number;
}

/** Time (ms) before its expiry at which a token is renewed, so that it does not expire in transit. */
const margin = 30_000;

/** Time (ms) for which a token proves that the service knows its owner. */
const proofLife = 60_000;

/** Maximum number of cached tokens, and of cached failures. */
const most = 1000;

/** Time (ms) before another token is requested after an unusable one. */
const pause = 5000;

/** Statuses of an endpoint that does not support the method. */
const lacking = [404, 405, 501];

export interface Tokens {
  /**
   * Returns the cached token, or a new one. Rejects with a Failure: `unknown-to-service` if the service refuses a token
   * although it accepts the console's credentials.
   */
  of(owner: Organisation | Company): Promise<Token>;
  /**
   * Like `of`, but at most a minute old, so that an owner whom the service has forgotten is noticed. If the service
   * does not answer, returns a cached token.
   */
  proven(owner: Organisation | Company): Promise<Token>;
  /** Requests a new token, without using the cache. */
  fresh(owner: Organisation | Company): Promise<Token>;
  /** Returns a function that returns true until a cached token or failure changes or expires. */
  unchanged(): () => boolean;
  /** Makes a call with the owner's token, and repeats it once with a new one if the service rejects the token (401). */
  asOwner(owner: Organisation | Company, call: (bearer: string) => Promise<Reply>): Promise<Reply>;
}

/** The cached tokens of a workspace, and the method of the token endpoint. */
export interface KeptTokens {
  tokens: Kept<Token>;
  /** Tokens obtained, or kept because the service did not answer, within the last minute. */
  proofs: Kept<Token>;
  /** Failures that another request would only repeat. */
  useless: Kept<Failure>;
  cached: Cache<Token>;
  proven: Cache<Token>;
  /**
   * The method of the token endpoint, on which public pages disagree (wire, section 2.2); it changes to GET once the
   * service has turned out not to support POST.
   */
  method: 'GET' | 'POST';
}

export function keptTokens(clock: Clock): KeptTokens {
  const tokens = createKept<Token>(clock, most);
  const proofs = createKept<Token>(clock, most);
  return {
    ...{ tokens, proofs, useless: createKept<Failure>(clock, most) },
    ...{ cached: createCache(tokens), proven: createCache(proofs) },
    method: 'POST',
  };
}

interface Deps {
  http: Http;
  signer: Signer;
  clock: Clock;
  kept: KeptTokens;
  /** Whether the service accepts the console's own credentials. */
  isTrusted: () => Promise<boolean>;
}

export function createTokens({ http, signer, clock, kept, isTrusted }: Deps): Tokens {
  const { tokens: known, proofs, useless, cached } = kept;
  const idOf = (owner: Organisation | Company) => ('companyId' in owner ? owner.companyId : '');
  // Includes the signing key, so that a cached token is returned only to callers that could have obtained it.
  const keyOf = (owner: Organisation | Company) => `${owner.organisationId}/${idOf(owner)}/${owner.signingKey}`;

  async function ask(owner: Organisation | Company): Promise<Reply> {
    const by = (way: KeptTokens['method']) =>
      http.read(() => signer.signed(requests.accessToken(owner.organisationId, idOf(owner), way), owner.signingKey));
    const reply = await by(kept.method);
    if (kept.method === 'GET' || !lacking.includes(reply.status)) return reply;
    const other = await by('GET');
    if (lacking.includes(other.status)) return reply;
    kept.method = 'GET';
    return other;
  }

  /**
   * Forgets the proofs of an organisation and its companies: without the organisation, no company's token proves
   * anything.
   */
  function forgetProofs({ organisationId }: Organisation): void {
    for (const key of [...proofs.keys()]) if (key.startsWith(`${organisationId}/`)) proofs.delete(key);
  }

  async function obtain(owner: Organisation | Company, isRepeat = false): Promise<Token> {
    const companyId = idOf(owner);
    const asked = clock.now();
    let reply = await ask(owner);
    if (gone.includes(reply.status) && (await isTrusted())) {
      // A single 401 may concern only that call.
      if (reply.status === 401) reply = await ask(owner);
      if (gone.includes(reply.status)) {
        if (companyId === '') forgetProofs(owner);
        throw unknown(owner.organisationId, companyId, reply);
      }
    }
    const { jwt, access_token, accessToken, token } = answerOf(reply, wire.tokenAnswer, bounds.answer, unwrapped);
    const found = insistOn(jwt ?? access_token ?? accessToken ?? token, 'token', reply);
    const now = clock.now();
    const expiresAt = expiryOf(found, isRepeat ? now : Math.min(asked, now));
    // A token may expire in transit, for example if the computer sleeps meanwhile; the next one arrives in time.
    return expiresAt > now ? { jwt: found, expiresAt } : obtain(owner, true);
  }

  async function load(owner: Organisation | Company): Promise<Loaded<Token>> {
    const value = await obtain(owner);
    const life = value.expiresAt - clock.now();
    proofs.set(keyOf(owner), value, { ttl: proofLife, size: 1 });
    // A token that is valid for less than twice the margin is used for at least half of that time.
    return { value, life: life - Math.min(margin, life / 2), size: 1 };
  }

  async function of(owner: Organisation | Company): Promise<Token> {
    const key = keyOf(owner);
    const failure = useless.get(key);
    if (failure) throw failure;
    try {
      return await cached(key, () => load(owner));
    } catch (error) {
      // The failure is cached for a while, because another request would give the same result.
      if (error instanceof Failure && error.problem.code === 'upstream-invalid')
        useless.set(key, error, { ttl: pause, size: 1 });
      throw error;
    }
  }

  /** Requests a new token to replace the cached one; keeps the cached one if the service does not answer. */
  async function prove(owner: Organisation | Company): Promise<Loaded<Token>> {
    const key = keyOf(owner);
    const before = known.get(key);
    if (!before) return { value: await of(owner), life: proofLife, size: 1 };
    try {
      const { value, life } = await load(owner);
      known.set(key, value, { ttl: life, size: 1 });
      return { value, life: proofLife, size: 1 };
    } catch (error) {
      const isGone = error instanceof Failure && error.problem.code === 'unknown-to-service';
      if (!isGone) return { value: before, life: proofLife, size: 1 };
      known.delete(key);
      throw error;
    }
  }

  return {
    of,
    proven: (owner) => kept.proven(keyOf(owner), () => prove(owner)),
    fresh: (owner) => obtain(owner),
    unchanged() {
      const all = [known.unchanged(), proofs.unchanged(), useless.unchanged()];
      return () => all.every((each) => each());
    },
    async asOwner(owner, call) {
      const token = await of(owner);
      const reply = await call(token.jwt);
      if (reply.status !== 401) return reply;
      const key = keyOf(owner);
      for (const each of [known, proofs]) if (each.get(key) === token) each.delete(key);
      return call((await of(owner)).jwt);
    },
  };
}

/** Statuses with which the service refuses a token; 401 may also concern the console's own credentials. */
const gone = [401, 404, 410];

function unknown(organisationId: string, companyId: string, { status, text, interactionId }: Reply): Failure {
  const whose = `organisation ${organisationId}${companyId && ` and company ${companyId}`}`;
  return new Failure('unknown-to-service', `The payments service gives no token for ${whose}.`, {
    upstream: { status, body: evidence(text) },
    interactionId,
  });
}

/** An expiry further in the future (ms) is treated as a mistake. */
const longestLife = 100 * 365 * 24 * 60 * 60_000;

/** A JWT without characters that are not allowed in a header. */
const jwtPattern = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/**
 * Returns the time (ms) at which the token expires. Throws `upstream-invalid` if the token has no valid expiry or has
 * expired. `now` in ms.
 */
function expiryOf(jwt: string, now: number): number {
  const is = (what: string) => new Failure('upstream-invalid', `The access token of the payments service ${what}.`);
  let exp: unknown;
  try {
    if (!jwtPattern.test(jwt)) throw new Error();
    exp = decodeJwt(jwt).exp;
  } catch {
    throw is('is not a JWT');
  }
  if (typeof exp !== 'number' || !Number.isFinite(exp) || exp < 0 || exp * 1000 > now + longestLife)
    throw is('does not say when it expires');
  if (exp * 1000 <= now) throw is('has expired already: compare the clocks');
  return exp * 1000;
}
