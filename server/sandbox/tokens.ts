import { createHash, generateKeyPairSync } from 'node:crypto';
import { SignJWT, errors, jwtVerify, type JWK, type JWTPayload } from 'jose';
import { Problem } from './problem.ts';
import type { Clock } from '#server/clock.ts';
import type { SandboxStorage } from './storage.ts';

const alg = 'RS256';

/** Claims that the sandbox reads back; only tokens that it made itself verify. */
export interface Claims {
  sub?: string;
  organisationId?: string;
  companyId?: string;
  batchId?: string;
}

function newKey(): JWK {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const kid = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
  return { ...(privateKey.export({ format: 'jwk' }) as JWK), kid, alg, use: 'sig' }; // node's and jose's JWK types differ
}

/** Makes and checks the sandbox's RS256 tokens. One issuer's tokens are never taken for another's. */
export function createTokens({ storage, clock }: { storage: SandboxStorage; clock: Clock }) {
  const key = storage.find('key', 'rs256') ?? newKey();
  storage.save('key', 'rs256', key);
  const { kty, n, e, kid, use } = key;
  const publicKey = { kty, n, e, kid, use, alg } as JWK; // an RSA key always has these members

  return {
    /** What endpoints.keySet publishes. */
    keySet: { keys: [publicKey] },
    /** `life` in ms; a negative one makes a token that has expired. */
    issue(issuer: string, claims: JWTPayload, life: number): Promise<string> {
      const issuedAt = Math.floor((clock.now() + Math.min(life, 0)) / 1000);
      return new SignJWT(claims)
        .setProtectedHeader({ alg, typ: 'JWT', ...(kid !== undefined && { kid }) })
        .setIssuer(issuer)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + Math.floor(Math.abs(life) / 1000))
        .sign(key);
    },
    /** The token's claims; throws a problem: `expiredStatus` for one that has expired, 401 for any other fault. */
    async verify(issuer: string, token: string, expiredStatus = 401): Promise<Claims> {
      try {
        const options = { issuer, algorithms: [alg], currentDate: new Date(clock.now()) };
        return (await jwtVerify<Claims>(token, publicKey, options)).payload;
      } catch (error) {
        if (error instanceof errors.JWTExpired) throw new Problem(expiredStatus, 'The token has expired');
        throw new Problem(401, 'The token is not valid here');
      }
    },
  };
}

export type Tokens = ReturnType<typeof createTokens>;
