import type { Body } from '#contract/shapes.ts';
import { accountMachine } from '#machines/account.machine.ts';
import { fulfil, port } from '#machines/port.ts';
import type { Values } from '#rules/field.ts';
import { call } from '../client.ts';
import { once } from '../once.ts';
import { loadFactsOf, texts } from './ports.ts';

/** The product that the account comes from: this console. */
const externalSource = 'payments-out-console';

/** The account in the name of the logged-in user (behaviour, section 3: account create body). */
async function accountOf(values: Values, signal: AbortSignal): Promise<Body<'createAccount'>> {
  const [user, settings] = await Promise.all([call('getUserInfo', { signal }), call('getSettings', { signal })]);
  const { email, sub: identityId } = user.data;
  return {
    data: {
      type: 'Account',
      attributes: { ...texts(values, 'externalId'), externalSource },
      owner: { user: { email, locale: settings.acceptLanguage || 'en', identityId } },
    },
  };
}

export const machine = accountMachine.provide({
  actors: {
    loadFacts: loadFactsOf('account'),
    submit: fulfil(port<Values, { accountId: string }>('submit'), async (values, signal) => {
      const body = await accountOf(values, signal);
      const answer = await once('createAccount', body, (key) => call('createAccount', { body, key, signal }));
      return { accountId: answer.data.data.id };
    }),
  },
});
