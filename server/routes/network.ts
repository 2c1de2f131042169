import { alerts } from '#contract/alerts.ts';
import { iso } from '#server/clock.ts';
import type { Deps } from '#server/deps.ts';
import { Failure } from '#server/failure.ts';
import { storedSettingsOf } from '#server/settings.ts';
import { isFresh, userTokenExpiry } from '#server/userToken.ts';
import type { Handlers } from './route.ts';

/** A login has to be finished within this time (ms). */
const loginLife = 10 * 60_000;

/** The network login and what is created with the user's token (wire, section 2.5). */
export function networkRoutes({ config, store, upstream, clock, newId }: Deps) {
  async function userJwt(): Promise<string> {
    const { userJwt: token } = await storedSettingsOf(store);
    if (token === '') throw new Failure('prerequisite-missing', alerts.noUserToken);
    if (!isFresh(token, clock.now()))
      throw new Failure('token-expired', 'The user token has expired: get a new user token.');
    return token;
  }

  return {
    async startLogin({ origin }) {
      const state = newId();
      await store.logins.put(state, { startedAt: clock.steady() });
      return {
        action: config.upstream.authorizeUrl,
        fields: {
          response_type: 'token',
          scope: 'openid profile email',
          client_id: config.upstream.clientId,
          redirect_uri: `${origin}/api/jwtredirect`,
          state,
        },
      };
    },
    async storeUserToken({ body: { token, state } }) {
      const login = await store.logins.get(state);
      const taken = await store.logins.remove(state);
      const age = login ? clock.steady() - login.startedAt : Infinity;
      if (!taken || age < 0 || age >= loginLife)
        throw new Failure('forbidden', 'This login was not started here, or was finished already: start it again.');
      const expiry = userTokenExpiry(token);
      if (expiry === undefined)
        throw new Failure('upstream-invalid', 'The user token of the identity provider does not say when it expires.');
      const { email } = await upstream.userInfo(token);
      await store.settings.write('userJwt', token);
      return { email, expiresAt: Number.isFinite(expiry) ? iso(expiry) : '' };
    },
    getUserInfo: async () => ({ data: await upstream.userInfo(await userJwt()) }),
    async createAccount({ body, key }) {
      const account = await upstream.createAccount(await userJwt(), body, key);
      await store.accounts.add(account.data.id, { id: account.data.id });
      await store.settings.write('accountId', account.data.id);
      return { data: account };
    },
    async createDataset({ body, key }) {
      const dataset = await upstream.createDataset(await userJwt(), body, key);
      await store.datasets.add(dataset.data.id, { id: dataset.data.id });
      await store.settings.write('dataSetId', dataset.data.id);
      return { data: dataset };
    },
  } satisfies Partial<Handlers>;
}
