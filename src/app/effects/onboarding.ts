import { isProblem } from '#contract/isProblem.ts';
import type { ParsedBody } from '#contract/shapes.ts';
import { addressOf } from '#machines/journeys.ts';
import { accessTokenMachine } from '#machines/onboarding/accessToken.machine.ts';
import {
  accountMachine,
  companyMachine,
  datasetMachine,
  organisationMachine,
} from '#machines/onboarding/forms.machine.ts';
import { userTokenMachine } from '#machines/onboarding/userToken.machine.ts';
import { provideEffects } from '#machines/lib/effect.ts';
import type { Values } from '#rules/field.ts';
import { accountBody, datasetBody } from '#rules/forms.ts';
import { ownBody } from '#rules/ownForm.ts';
import { call } from '../client/client.ts';
import { tellOtherTabs } from '../client/otherTabs.ts';
import { sessionStore } from '../client/storage.ts';
import { withIdempotencyKey } from '../client/withIdempotencyKey.ts';
import type { JourneyCode } from '#machines/console.ts';

export const organisation = {
  machine: provideEffects(organisationMachine, {
    submit: ({ values, ...known }, signal) => {
      const body = ownBody('organisation', values);
      return withIdempotencyKey('createOrganisation', body, (key) =>
        call('createOrganisation', { query: { reveal: 'false', ...known }, body, key, signal }),
      );
    },
  }),
} satisfies JourneyCode;

export const company = {
  machine: provideEffects(companyMachine, {
    submit: ({ values, ...known }, signal) => {
      const body = ownBody('company', values);
      return withIdempotencyKey('createCompany', body, (key) =>
        call('createCompany', { query: known, body, key, signal }),
      );
    },
  }),
} satisfies JourneyCode;

/** The company access token; masked by the server unless `reveal` is set (behaviour, section 10.8). */
export const accessToken = {
  machine: provideEffects(accessTokenMachine, {
    obtainToken: async ({ reveal }, signal) => {
      const { data } = await call('getToken', { query: { reveal: reveal ? 'true' : 'false' }, signal });
      return data;
    },
  }),
} satisfies JourneyCode;

/** The address of this page as it was opened, without the outcome of an earlier login. */
function returnTo(): string {
  const opening = new URLSearchParams(location.search);
  return addressOf('userToken', { guided: opening.get('guided') === 'true', then: opening.get('then') ?? '' });
}

/** The outcome of the login, from the address to which the server redirects the browser. */
function userTokenInput(query: URLSearchParams) {
  const outcome = query.get('outcome') ?? '';
  // The page that stored the token has no code of the console.
  if (outcome === 'ok') tellOtherTabs();
  return { outcome, interactionId: query.get('interaction') ?? '' };
}

/**
 * The network login: the server stores the state and returns the target of the GET form (behaviour, section 7). The
 * page to which the browser is redirected (public/jwtredirect.js) reads its own target from `login.returnTo`.
 */
export const userToken = {
  machine: provideEffects(userTokenMachine, {
    startLogin: (_, signal) => {
      sessionStore().setItem('login.returnTo', returnTo());
      return call('startLogin', { signal });
    },
  }),
  input: userTokenInput,
} satisfies JourneyCode;

/** The same for a console without a page: no address has to be restored when the login returns. */
export const userTokenWithoutPage = (): JourneyCode => ({
  ...userToken,
  machine: provideEffects(userTokenMachine, { startLogin: (_, signal) => call('startLogin', { signal }) }),
});

/** The account's body, with the email and id of the logged-in user. */
async function accountOf(values: Values, signal: AbortSignal): Promise<ParsedBody<'createAccount'>> {
  const [user, settings] = await Promise.all([call('getUserInfo', { signal }), call('getSettings', { signal })]);
  return accountBody(values, user.data, settings.acceptLanguage);
}

/** Rejects as a write does that was not sent, because something that its body needs could not be read. */
function rejectUnsent(error: unknown): never {
  throw isProblem(error) ? { ...error, outcome: 'not-sent' } : error;
}

export const account = {
  machine: provideEffects(accountMachine, {
    // The key is drawn before anything is read: two tabs that submit the same at once draw the same one.
    submit: async ({ values, ...known }, signal) => {
      const answer = await withIdempotencyKey('createAccount', ownBody('account', values), async (key) => {
        const body = await accountOf(values, signal).catch(rejectUnsent);
        return call('createAccount', { query: known, body, key, signal });
      });
      return { accountId: answer.data.data.id };
    },
  }),
} satisfies JourneyCode;

export const dataset = {
  machine: provideEffects(datasetMachine, {
    submit: async ({ values, ...known }, signal) => {
      const body = datasetBody(values);
      const answer = await withIdempotencyKey('createDataset', body, (key) =>
        call('createDataset', { query: known, body, key, signal }),
      );
      return { dataSetId: answer.data.data.id };
    },
  }),
} satisfies JourneyCode;
