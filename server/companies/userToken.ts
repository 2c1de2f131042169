import { decodeJwt } from 'jose';

/** The latest time (ms) that a Date can represent. */
const lastMoment = 8.64e15;

/**
 * Returns the time (ms) at which a user token expires: Infinity if it has no expiry (an identity provider's token need
 * not be a JWT), undefined if `exp` is not a valid time.
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

/**
 * Returns the name of the user in a token, or else the email address; '' if the token gives neither. The console does
 * not verify the token, so this is only for display.
 */
export function userIn(token: string): string {
  try {
    const { name, email } = decodeJwt<{ name?: unknown; email?: unknown }>(token);
    const said = [name, email].find((each) => typeof each === 'string' && each !== '');
    return typeof said === 'string' ? said : '';
  } catch {
    return '';
  }
}

/** Whether a user token is still valid; false if its expiry is not a valid time. */
export const isTokenValid = (token: string, now: number): boolean => (userTokenExpiry(token) ?? now) > now;
