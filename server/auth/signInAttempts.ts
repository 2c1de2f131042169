import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { isPagePath } from '#contract/pages.ts';
import type { Clock } from '#server/clock.ts';
import type { Storage } from '#server/storage/open.ts';

/** Maximum duration (ms) of a sign-in. */
const attemptLifetime = 10 * 60_000;
/** Maximum number of attempts per browser; the oldest are removed. */
const maximumAttempts = 10;
/**
 * Maximum length of an address to return to, because cookies are limited; for a longer address only the path is stored.
 */
const longestThen = 300;

/** A sign-in in one tab. `secret` is the PKCE verifier; state and nonce are derived from it. */
export interface Attempt {
  secret: string;
  /** Path and query of the page to return to. */
  then: string;
}
/** `until` in ms. */
type StoredAttempt = Attempt & { until: number };

/** Thrown for a return from the provider that belongs to no attempt of this browser. */
export class AttemptError extends Error {
  override readonly name = 'AttemptError';
}

/** Returns the `state` of an attempt, which does not reveal the secret. */
export const stateOf = (secret: string): string => derived('state', secret);
export const nonceOf = (secret: string): string => derived('nonce', secret);
const derived = (what: string, secret: string): string =>
  createHash('sha256').update(`${what} ${secret}`).digest('base64url');

/**
 * Sign-ins in progress, each in an encrypted cookie of its own, so that several tabs of a browser can sign in at once.
 * `cookie` begins the cookies' names.
 */
export function createAttempts(
  encryption: Storage['encryption'],
  clock: Clock,
  cookie: string,
  setCookie: (ctx: Context, name: string, value: string | null) => void,
) {
  const nameOf = (state: string): string =>
    `${cookie}-${createHash('sha256').update(state).digest('hex').slice(0, 12)}`;

  /**
   * Returns the attempt in a cookie; undefined unless it was encrypted for this cookie and has not expired. Also refuses
   * an expiry too far in the future, because cookies may outlive the process and its clock.
   */
  function decrypted(name: string, encrypted: string): StoredAttempt | undefined {
    try {
      const attempt = JSON.parse(encryption.decrypt(encrypted, name)) as StoredAttempt; // encrypted by begin
      const remaining = attempt.until - clock.steady();
      return remaining > 0 && remaining <= attemptLifetime ? attempt : undefined;
    } catch {
      return undefined;
    }
  }

  /** Makes room for one more attempt: removes expired attempts, then the oldest ones. */
  function prune(ctx: Context): void {
    const names = ctx.get('Cookie').match(/[^;=\s]+(?==)/g) ?? [];
    const found = names
      .filter((name) => name.startsWith(`${cookie}-`))
      .map((name) => ({ name, until: decrypted(name, ctx.cookies.get(name) ?? '')?.until ?? 0 }))
      .sort((one, other) => other.until - one.until);
    for (const [index, { name, until }] of found.entries())
      if (until === 0 || index >= maximumAttempts - 1) setCookie(ctx, name, null);
  }

  return {
    begin(ctx: Context, attempt: Attempt): void {
      prune(ctx);
      const name = nameOf(stateOf(attempt.secret));
      setCookie(
        ctx,
        name,
        encryption.encrypt(JSON.stringify({ ...attempt, until: clock.steady() + attemptLifetime }), name),
      );
    },
    /** Returns and removes the attempt that this browser began. Throws AttemptError if there is none or it has expired. */
    take(ctx: Context): Attempt {
      const name = nameOf(String(ctx.query['state']));
      const encrypted = ctx.cookies.get(name);
      if (encrypted === undefined) throw new AttemptError('this browser began no such sign-in');
      setCookie(ctx, name, null);
      const attempt = decrypted(name, encrypted);
      if (!attempt) throw new AttemptError('the sign-in took too long');
      return attempt;
    },
  };
}

/**
 * Returns the address to go to after signing in: `then` if it is a route of the page, otherwise '/'. `publicUrl` is the
 * console's origin.
 */
export function returnPath(then: unknown, publicUrl: string): string {
  if (typeof then !== 'string' || !URL.canParse(then, publicUrl)) return '/';
  const { origin, pathname, search } = new URL(then, publicUrl);
  if (origin !== publicUrl || !isPagePath(pathname)) return '/';
  return pathname.length + search.length > longestThen ? pathname : pathname + search;
}
