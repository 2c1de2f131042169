import { decodeJwt } from 'jose';

/** When a user token expires (ms); Infinity if it does not say, as an identity provider's token need not be a JWT. */
export function userTokenExpiry(token: string): number {
  try {
    const { exp } = decodeJwt(token);
    return exp === undefined ? Infinity : exp * 1000;
  } catch {
    return Infinity;
  }
}
