import { decodeJwt } from 'jose';
import { LRUCache } from 'lru-cache';
import { requests } from '#contract/requests/requests.ts';
import type { Clock } from '#server/clock.ts';
import type { FailureCode } from '#contract/problem.ts';
import { Failure } from '#server/failure.ts';
import type { Http, Reply } from './http.ts';
import type { Signer } from './signer.ts';
import { createSingleFlight } from '#server/concurrency.ts';
import { answerOf, describedIn, evidence, evidenceOf, isOwnWord, requireShape } from './replies.ts';

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
const proofTtl = 60_000;

/** Maximum number of cached tokens and failures. */
const maximumTokens = 1000;

/** Time (ms) before another token is requested after an unusable one. */
const retryDelay = 5000;

/** Maximum number of characters shown of the service's own sentence. */
const shown = 1000;

/** Failures that say that an owner's token is no longer valid. */
const ownerRefusals: readonly FailureCode[] = ['unknown-to-service', 'signing-key-rejected'];

/** Statuses of an endpoint that does not support the method. */
const lacking = [404, 405, 501];

export interface Tokens {
  /**
   * Returns the cached token, or a new one. Rejects with a Failure if the service refuses a token although it accepts
   * the console's credentials: `signing-key-rejected` if it says so, otherwise `unknown-to-service`.
   */
  of(owner: Organisation | Company): Promise<Token>;
  /**
   * Like `of`, but at most a minute old, so that an owner whom the service has forgotten is noticed. If the service
   * does not answer, returns a cached token.
   */
  proven(owner: Organisation | Company): Promise<Token>;
  /** Requests a new token, without using the cache. */
  fresh(owner: Organisation | Company): Promise<Token>;
  /** Makes a call with the owner's token, and repeats it once with a new one if the service rejects the token (401). */
  asOwner(owner: Organisation | Company, call: (bearer: string) => Promise<Reply>): Promise<Reply>;
}

/** A token, or the failure to obtain one. All times are those of the system's clock (ms), which a sleep advances. */
interface Known {
  result: Token | Failure;
  obtainedAt: number;
  /** Until then, the result is used without another request. */
  useUntil: number;
  /** Until then, a token proves that the service knows its owner. */
  provenUntil: number;
}

interface Deps {
  http: Http;
  signer: Signer;
  clock: Clock;
  /** Whether the service accepts the console's own credentials. */
  isTrusted: () => Promise<boolean>;
}

/**
 * The tokens of a workspace. They are cached: otherwise each call to the service would begin with another one for a token,
 * and a user would wait twice as long for each step.
 */
export function createTokens({ http, signer, clock, isTrusted }: Deps): Tokens {
  const known = new LRUCache<string, Known>({ max: maximumTokens });
  const loading = createSingleFlight<Token>();
  /**
   * The method of the token endpoint, on which public pages disagree (wire, section 2.2); it changes to GET once the
   * service has turned out not to support POST.
   */
  let method: 'GET' | 'POST' = 'POST';
  const idOf = (owner: Organisation | Company) => ('companyId' in owner ? owner.companyId : '');
  // Includes the signing key, so that a cached token is returned only to callers that could have obtained it.
  const keyOf = (owner: Organisation | Company) =>
    JSON.stringify([owner.organisationId, idOf(owner), owner.signingKey]);

  async function requestToken(owner: Organisation | Company): Promise<Reply> {
    const by = (way: typeof method) =>
      http.read(() => signer.signed(requests.accessToken(owner.organisationId, idOf(owner), way), owner.signingKey));
    const reply = await by(method);
    if (method === 'GET' || !lacking.includes(reply.status)) return reply;
    const other = await by('GET');
    if (lacking.includes(other.status)) return reply;
    method = 'GET';
    return other;
  }

  /**
   * Forgets that the tokens of an organisation and its companies are proofs: without the organisation, no company's
   * token proves anything.
   */
  function forgetProofs({ organisationId }: Organisation): void {
    for (const [key, each] of known.entries())
      if (key.startsWith(`[${JSON.stringify(organisationId)},`)) each.provenUntil = 0;
  }

  async function obtain(owner: Organisation | Company, isRepeat = false): Promise<Token> {
    const companyId = idOf(owner);
    const requestedAt = clock.now();
    let reply = await requestToken(owner);
    if (isGone(reply) && (await isTrusted())) {
      // A single 401 may concern only that call.
      if (reply.status === 401) reply = await requestToken(owner);
      if (isGone(reply)) {
        if (companyId === '') forgetProofs(owner);
        if (isAboutSignature(reply)) throw wrongKey(owner.organisationId, reply);
        throw unknown(owner.organisationId, companyId, reply);
      }
    }
    requireNoRefusal(reply);
    const { jwt, access_token, accessToken, token } = answerOf(reply, 'accessToken');
    const found = requireShape(jwt ?? access_token ?? accessToken ?? token, 'token', reply);
    requireOwner(found, owner.organisationId, companyId);
    const now = clock.now();
    const expiresAt = expiryOf(found, isRepeat ? now : Math.min(requestedAt, now));
    // A token may expire in transit, for example if the computer sleeps meanwhile; the next one arrives in time.
    return expiresAt > now ? { jwt: found, expiresAt } : obtain(owner, true);
  }

  /** Whether a cached result is used now. Before it was obtained, the clock has been set back. */
  const isWithin = ({ obtainedAt }: Known, until: number): boolean => {
    const now = clock.now();
    return obtainedAt <= now && now < until;
  };

  /** Requests a token, once for all concurrent callers, and caches it. */
  const renew = (owner: Organisation | Company): Promise<Token> =>
    loading.run(keyOf(owner), async () => {
      const token = await obtain(owner);
      const now = clock.now();
      const life = token.expiresAt - now;
      known.set(keyOf(owner), {
        result: token,
        obtainedAt: now,
        // A token that is valid for less than twice the margin is used for at least half of that time.
        useUntil: token.expiresAt - Math.min(margin, life / 2),
        provenUntil: now + proofTtl,
      });
      return token;
    });

  /** Returns the cached entry if it is still used. */
  function usable(owner: Organisation | Company): Known | undefined {
    const found = known.get(keyOf(owner));
    return found && isWithin(found, found.useUntil) ? found : undefined;
  }

  async function of(owner: Organisation | Company): Promise<Token> {
    const found = usable(owner)?.result;
    if (found instanceof Failure) throw found;
    if (found) return found;
    try {
      return await renew(owner);
    } catch (error) {
      // The failure is cached for a while, because another request would give the same result.
      if (error instanceof Failure && error.problem.code === 'upstream-invalid') {
        const now = clock.now();
        known.set(keyOf(owner), { result: error, obtainedAt: now, useUntil: now + retryDelay, provenUntil: 0 });
      }
      throw error;
    }
  }

  async function proven(owner: Organisation | Company): Promise<Token> {
    const before = usable(owner);
    if (!before || before.result instanceof Failure) return of(owner);
    if (isWithin(before, before.provenUntil)) return before.result;
    try {
      return await renew(owner);
    } catch (error) {
      if (error instanceof Failure && ownerRefusals.includes(error.problem.code)) {
        known.delete(keyOf(owner));
        throw error;
      }
      // The service did not answer: the token is not asked for again at once.
      before.provenUntil = clock.now() + proofTtl;
      return before.result;
    }
  }

  return {
    of,
    proven,
    fresh: (owner) => obtain(owner),
    async asOwner(owner, call) {
      const token = await of(owner);
      const reply = await call(token.jwt);
      if (reply.status !== 401) return reply;
      if (known.get(keyOf(owner))?.result === token) known.delete(keyOf(owner));
      return call((await of(owner)).jwt);
    },
  };
}

/** Statuses with which the service refuses a token; 401 may also concern the console's own credentials. */
const gone = [401, 404, 410];
const isGone = (reply: Reply): boolean => gone.includes(reply.status) && isOwnWord(reply);

/** Whether the service refuses a token because of the signature, by its words: it has no code for that (wire, 2.2). */
const isAboutSignature = ({ status, text }: Reply): boolean => status === 401 && /signature|signing/i.test(text);

const wrongKey = (organisationId: string, { status, text, interactionId }: Reply): Failure =>
  new Failure(
    'signing-key-rejected',
    `The payments service does not accept the signing key of the organisation ${organisationId}.`,
    { upstream: { status, body: evidence(text) }, interactionId },
  );

/** Statuses by which the service refuses the console, or every request at present, whichever request it answers. */
const ofEveryRequest = [401, 403, 429];

/**
 * Throws `upstream-failed` for any other refusal (4xx): it is about the request for the token, and says nothing about the
 * call that needs the token, such as that its record does not exist or that its values are wrong.
 */
function requireNoRefusal(reply: Reply): void {
  const { status } = reply;
  if (status < 400 || status >= 500 || ofEveryRequest.includes(status)) return;
  const said = describedIn(reply).detail;
  throw new Failure(
    'upstream-failed',
    `The payments service gave no access token, which this request needs: it answered with status ${status}${said === undefined ? '' : `, ${said.slice(0, shown)}`}.`,
    evidenceOf(reply, []),
  );
}

function unknown(organisationId: string, companyId: string, { status, text, interactionId }: Reply): Failure {
  const whose = `organisation ${organisationId}${companyId && ` and company ${companyId}`}`;
  return new Failure('unknown-to-service', `The payments service gives no token for ${whose}.`, {
    upstream: { status, body: evidence(text) },
    interactionId,
  });
}

/**
 * Throws `upstream-invalid` if a token's claims name another organisation or company (wire, section 2.2): that one would
 * pay with it. An unreadable token is left to `expiryOf`.
 */
function requireOwner(jwt: string, organisationId: string, companyId: string): void {
  let claims: Record<string, unknown>;
  try {
    claims = decodeJwt(jwt);
  } catch {
    return;
  }
  for (const [name, own] of Object.entries({ organisationId, companyId })) {
    const claimed = claims[name];
    if (typeof claimed === 'string' && claimed !== '' && claimed.toLowerCase() !== own.toLowerCase())
      throw new Failure(
        'upstream-invalid',
        `The access token of the payments service is for ${name} ${claimed.slice(0, 200)}, although one for ${own || 'the organisation'} was requested.`,
      );
  }
}

/** An expiry further in the future (ms) is treated as a mistake. */
const maximumTtl = 100 * 365 * 24 * 60 * 60_000;

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
  if (typeof exp !== 'number' || !Number.isFinite(exp) || exp < 0 || exp * 1000 > now + maximumTtl)
    throw is('does not say when it expires');
  if (exp * 1000 <= now) throw is('has expired already: compare the clocks');
  return exp * 1000;
}
