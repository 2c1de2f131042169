import { decodeJwt } from 'jose';
import { alerts } from '#contract/alerts.ts';
import { iso } from '#server/clock.ts';
import type { CompanyContext } from './companyContext.ts';
import { Failure } from '#server/failure.ts';
import type { RecordKind } from '#server/storage/records.ts';
import { storedSettingsOf } from './settings.ts';
import { loginReturnPath } from '#server/http/paths.ts';

/** Maximum duration (ms) of a login. */
const stateLifetime = 10 * 60_000;

/** Logins in progress, each under its `state`; `startedAt` in ms. */
export const loginRecords: RecordKind<{ startedAt: number }> = { kind: 'logins', isOfWorkspace: true };

/** What a login asks for; the token may do less if it says so (`scope`). */
const scope = 'openid profile email';

/** Rethrows a failure; that a token of a new login has expired is told of the login, not of a stored token. */
function expiredOnArrival(error: unknown): never {
  if (!(error instanceof Failure) || error.problem.code !== 'token-expired') throw error;
  const { interactionId, upstream } = error.problem;
  throw new Failure(
    'login-expired',
    'The identity provider no longer accepts the token that it returned: log in again.',
    {
      ...(interactionId !== undefined && { interactionId }),
      ...(upstream && { upstream }),
    },
  );
}

/**
 * Starts a login at the service's identity provider (wire, section 2.5). Returns the action and fields of its form; the
 * login returns to the console at `origin`.
 */
export async function startLogin({ config, store, clock, newId }: CompanyContext, origin: string) {
  const state = newId();
  await store.records(loginRecords).put(state, { startedAt: clock.steady() });
  return {
    action: config.upstream.authorizeUrl,
    fields: {
      response_type: 'token',
      scope,
      client_id: config.upstream.clientId,
      redirect_uri: origin + loginReturnPath,
      state,
    },
  };
}

/**
 * Stores the token obtained by a login; each login can be finished once. Throws `login-unusable` for a login that was
 * not started here or was finished before, and for an answer without a token or a state; `login-expired` for one that
 * has taken too long, or whose token has expired.
 */
export async function finishLogin({ store, upstream, clock }: CompanyContext, token: string, state: string) {
  if (token === '' || state === '')
    throw new Failure(
      'login-unusable',
      `The identity provider returned no ${token === '' ? 'token' : 'state'}: log in again.`,
    );
  const logins = store.records(loginRecords);
  const login = await logins.get(state);
  const removedLogin = await logins.remove(state);
  if (!login || !removedLogin)
    throw new Failure('login-unusable', 'This login was not started here, or was finished already: log in again.');
  const age = clock.steady() - login.startedAt;
  if (age < 0 || age >= stateLifetime)
    throw new Failure('login-expired', 'This login took more than ten minutes: log in again.');
  const expiry = userTokenExpiry(token);
  if (expiry === undefined)
    throw new Failure('upstream-invalid', 'The user token of the identity provider does not say when it expires.');
  const { email } = await upstream.userInfo(token).catch(expiredOnArrival);
  await store.settings.write('userJwt', token);
  return { email, expiresAt: isoText(expiry) };
}

/** Returns the stored user token. Throws `prerequisite-missing` if there is none, `token-expired` if it has expired. */
export async function userJwtOf({ store, clock }: CompanyContext): Promise<string> {
  const { userJwt: token } = await storedSettingsOf(store);
  if (token === '') throw new Failure('prerequisite-missing', alerts.noUserToken);
  if (!isTokenValid(token, clock.now()))
    throw new Failure('token-expired', 'The user token has expired: get a new user token.');
  return token;
}

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

/** The claims of a token, unverified, so only for display; none if it is no JWT. */
function claimsOf(token: string): Readonly<Record<string, unknown>> {
  try {
    return decodeJwt(token);
  } catch {
    return {};
  }
}

/** Returns the name of the user in a token, or else the email address; '' if the token gives neither. */
export function userIn(token: string): string {
  const { name, email } = claimsOf(token);
  const said = [name, email].find((each) => typeof each === 'string' && each !== '');
  return typeof said === 'string' ? said : '';
}

/** An ISO time of a moment (ms); '' for one that no Date can represent. */
const isoText = (moment: number): string => (Math.abs(moment) <= lastMoment ? iso(moment) : '');

/** Returns when a token was issued (an ISO time); '' if it does not say. */
export const issuedIn = (token: string): string => isoText(Number(claimsOf(token)['iat'] ?? NaN) * 1000);

/** Returns whose a user token is, when it was issued and expires (ISO times; each '' for unknown), and its scopes. */
export function loginIn(token: string) {
  const { scope: granted, sub } = claimsOf(token);
  return {
    subject: typeof sub === 'string' ? sub : '',
    issuedAt: issuedIn(token),
    expiresAt: isoText(userTokenExpiry(token) ?? NaN),
    scopes: (typeof granted === 'string' ? granted : scope).split(' ').filter(Boolean),
  };
}

/** Whether a user token is still valid; false if its expiry is not a valid time. */
export const isTokenValid = (token: string, now: number): boolean => (userTokenExpiry(token) ?? now) > now;
