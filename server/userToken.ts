import { decodeJwt } from 'jose';

/** The last moment (ms) that a date can name. */
const lastMoment = 8.64e15;

/**
 * When a user token expires (ms); Infinity if it does not say, as an identity provider's token need not be a JWT, and
 * undefined if what it says is no moment.
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

/** Whether a user token can still be used. One that says no sensible moment cannot. */
export const isFresh = (token: string, now: number): boolean => (userTokenExpiry(token) ?? now) > now;
