import { createHash, generateKeyPairSync } from 'node:crypto';
import { SignJWT, errors, jwtVerify, type JWK, type JWTPayload } from 'jose';
import { Problem } from '../http/problem.ts';
import type { Clock } from '#server/clock.ts';
import type { Collections } from '../store/tenantStore.ts';

const alg = 'RS256';

/** The claims of a verified token of the sandbox. */
export interface Claims {
  sub?: string;
  organisationId?: string;
  companyId?: string;
  batchId?: string;
  /** The application that the token was issued to. */
  sourceProduct?: string;
  /** When the token expires by a clock that was set apart from that of programs (s). */
  sandboxExpiry?: number;
}

function newKey(): JWK {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const kid = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
  return { ...(privateKey.export({ format: 'jwk' }) as JWK), kid, alg, use: 'sig' }; // node's and jose's JWK types differ
}

/**
 * Returns the key that signs all tokens; makes it if there is none. Emptying the sandbox keeps it, because clients cache
 * the published key set.
 */
export async function tokenKey(store: Collections): Promise<JWK> {
  const keys = store.collection<JWK>('key');
  const known = await keys.find('rs256');
  if (known) return known;
  const key = newKey();
  await keys.save('rs256', key);
  return key;
}

interface Deps {
  key: JWK;
  applicationId: string;
  clock: Clock;
  /**
   * Whether the clock was stopped at a time of its own. Programs compare `exp` with their own clock, by which the token would
   * have expired: it is then a time to come, and the token expires by another claim.
   */
  isApart: boolean;
}

/** The `exp` of tokens whose clock is apart: 1 January 2100. */
const timeToCome = Date.UTC(2100, 0) / 1000;

/** Issues and verifies an application's RS256 tokens. A token is accepted only for its own issuer and application. */
export function createTokens({ key, applicationId, clock, isApart }: Deps) {
  const { kty, n, e, kid, use } = key;
  const publicKey = { kty, n, e, kid, use, alg } as JWK; // an RSA key always has these members

  return {
    /** The key set that is published. */
    keySet: { keys: [publicKey] },
    /** Issues a token that is valid for `ttl` ms; a negative one yields an expired token. */
    issue(issuer: string, claims: JWTPayload, ttl: number): Promise<string> {
      const issuedAt = Math.floor((clock.now() + Math.min(ttl, 0)) / 1000);
      const expiry = issuedAt + Math.floor(Math.abs(ttl) / 1000);
      return new SignJWT({ ...claims, sourceProduct: applicationId, ...(isApart && { sandboxExpiry: expiry }) })
        .setProtectedHeader({ alg, typ: 'JWT', ...(kid !== undefined && { kid }) })
        .setIssuer(issuer)
        .setIssuedAt(issuedAt)
        .setExpirationTime(isApart ? timeToCome : expiry)
        .sign(key);
    },
    /**
     * Verifies a token and returns its claims. Throws a problem: `expiredStatus` for an expired token, 401 for any
     * other fault.
     */
    async verify(issuer: string, token: string, expiredStatus = 401): Promise<Claims> {
      try {
        const options = { issuer, algorithms: [alg], currentDate: new Date(clock.now()) };
        const { payload } = await jwtVerify<Claims>(token, publicKey, options);
        if (payload.sourceProduct !== applicationId) throw new Error('The token belongs to another application');
        if (payload.sandboxExpiry !== undefined && payload.sandboxExpiry * 1000 <= clock.now())
          throw new errors.JWTExpired('"sandboxExpiry" claim timestamp check failed', payload);
        return payload;
      } catch (error) {
        if (error instanceof errors.JWTExpired) throw new Problem(expiredStatus, 'The token has expired');
        throw new Problem(401, 'The token is not valid here');
      }
    },
  };
}

export type Tokens = ReturnType<typeof createTokens>;
