import { alerts } from '#contract/alerts.ts';
import { iso } from '#server/clock.ts';
import type { CompanyContext } from './companyContext.ts';
import { Failure } from '#server/failure.ts';
import type { RecordKind } from '#server/storage/records.ts';
import { storedSettingsOf } from './settings.ts';
import { loginReturnPath } from '#server/http/paths.ts';
import { isTokenValid, userTokenExpiry } from './userToken.ts';

/** Maximum duration (ms) of a login. */
const stateLifetime = 10 * 60_000;

/** Logins in progress, each under its `state`; `startedAt` in ms. */
export const loginRecords: RecordKind<{ startedAt: number }> = { kind: 'logins', isOfWorkspace: true };

/** Logins at the service's identity provider, and the user tokens obtained by them (wire, section 2.5). */
export function createLogins({ config, store, upstream, clock, newId }: CompanyContext) {
  return {
    /** Starts a login. Returns the action and fields of its form; the login returns to the console at `origin`. */
    async start(origin: string) {
      const state = newId();
      await store.records(loginRecords).put(state, { startedAt: clock.steady() });
      return {
        action: config.upstream.authorizeUrl,
        fields: {
          response_type: 'token',
          scope: 'openid profile email',
          client_id: config.upstream.clientId,
          redirect_uri: origin + loginReturnPath,
          state,
        },
      };
    },
    /**
     * Stores the token obtained by a login; each login can be finished once. Throws `login-refused` for a login that was
     * not started here, or has taken too long, and for an answer without a token or a state.
     */
    async finish(token: string, state: string) {
      if (token === '' || state === '')
        throw new Failure(
          'login-refused',
          `The identity provider returned no ${token === '' ? 'token' : 'state'}: log in again.`,
        );
      const logins = store.records(loginRecords);
      const login = await logins.get(state);
      const removedLogin = await logins.remove(state);
      const age = login ? clock.steady() - login.startedAt : Infinity;
      if (!removedLogin || age < 0 || age >= stateLifetime)
        throw new Failure(
          'login-refused',
          'This login was not started here, was finished already, or took too long: log in again.',
        );
      const expiry = userTokenExpiry(token);
      if (expiry === undefined)
        throw new Failure('upstream-invalid', 'The user token of the identity provider does not say when it expires.');
      const { email } = await upstream.userInfo(token);
      await store.settings.write('userJwt', token);
      return { email, expiresAt: Number.isFinite(expiry) ? iso(expiry) : '' };
    },
    /** The stored user token. Throws `prerequisite-missing` if there is none, `token-expired` if it has expired. */
    async userJwt(): Promise<string> {
      const { userJwt: token } = await storedSettingsOf(store);
      if (token === '') throw new Failure('prerequisite-missing', alerts.noUserToken);
      if (!isTokenValid(token, clock.now()))
        throw new Failure('token-expired', 'The user token has expired: get a new user token.');
      return token;
    },
  };
}
