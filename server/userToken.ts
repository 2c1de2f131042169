import { decodeJwt } from 'jose';

/** The latest time (ms) that a Date can hold. */
const lastMoment = 8.64e15;

/**
 * When a user token expires (ms). Infinity if it does not say: an identity provider's token need not be a JWT.
 * Undefined if `exp` is not a valid time.
 */
export function userTokenExpiry(token: string): number | undefined {
  let exp: unknown;
  try {
    ({ exp } = decodeJwt(token));
  } catch {
    return Infinity;
  }
  if (exp === undefined) return Infinity;
  const moment = typeof exp === 'number' ? exp * 1000 : NaN;
  return moment >= 0 && moment <= lastMoment ? moment : undefined;
}

/** Whether a user token is still valid; false if its expiry is not a valid time. */
export const isFresh = (token: string, now: number): boolean => (userTokenExpiry(token) ?? now) > now;
