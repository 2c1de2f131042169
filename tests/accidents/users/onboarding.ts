import type { Facts } from '#contract/facts.ts';
import type { SettingKey } from '#contract/settings.ts';
import type { JourneyId } from '#machines/journeys.ts';
import { does, fills, formWays, idsOf, leaves, none, retries } from '../acts.ts';
import type { Act, Does, Now, User } from '../user.ts';
import type { Kept } from '../world.ts';

/** One of the console's own forms. */
function ownForm(
  journey: JourneyId,
  at: Kept,
  setting: keyof Facts['settings'],
  made: User['made'],
  ways = formWays(),
): User {
  const isThere: User['isThere'] = ({ settings }, before) =>
    settings[setting] !== '' && settings[setting] !== before.settings[setting];
  return { journey, at, isThere, made, ways, does: fills(isThere) };
}

const wanted: readonly [SettingKey, string][] = [
  ['providerCountry', 'GB'],
  ['fileFormatCountry', 'GB'],
  ['acceptLanguage', 'en'],
];
const setsUp: Does = ({ snapshot }) => {
  const { facts } = snapshot.context as { facts: Facts };
  const [next] = wanted.filter(([key, value]) => facts.settings[key] !== value);
  return next ? { type: 'setting.change', key: next[0], value: next[1] } : 'leaves';
};

/** The browser visits the identity provider and returns with its response. */
const logsIn = async ({ snapshot, world, tab }: Now): Promise<Act> => {
  const { login } = snapshot.context as { login: { action: string; fields: Record<string, string> } };
  const form = { ...login.fields, outcome: 'login', name: 'Sandbox User', email: 'user@example.com' };
  const send = () =>
    world
      .fetch(login.action, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })
      .catch(() => undefined);
  const isBack = (reply?: Response) => reply?.headers.has('location') === true;
  let sentBack = await send();
  if (!isBack(sentBack)) sentBack = await send(); // who is shown a failure there goes back and presses again
  if (!sentBack || !isBack(sentBack)) return undefined;
  const answer = new URLSearchParams(new URL(sentBack.headers.get('location') ?? '').hash.slice(1));
  const body = { token: answer.get('access_token') ?? '', state: answer.get('state') ?? '' };
  const reply = await world.api.call('storeUserToken', { body });
  const back = new URL(tab.session.getItem('login.returnTo') ?? '/getnetworkaccesstoken', world.url);
  back.searchParams.set('outcome', reply.ok ? 'ok' : reply.problem.code);
  tab.go(back.pathname + back.search);
  return 'reloads';
};

export const onboarding = {
  'set the country': {
    journey: 'settings',
    at: 'nothing',
    isThere: ({ settings }) => wanted.every(([key, value]) => settings[key] === value),
    made: none,
    ways: [{ states: ['choosing', 'saving'] }, { faults: { saving: 'cut' }, states: ['unsaved'] }],
    does: { choosing: setsUp, unsaved: retries },
  },
  'create an organisation': ownForm('organisation', 'settings', 'organisationId', idsOf('organisation'), [
    ...formWays(),
  ]),
  'create a company': ownForm('company', 'organisation', 'companyId', idsOf('company'), [
    ...formWays(),
    { at: 'settings', states: ['blocked'] },
  ]),
  'log in': {
    journey: 'userToken',
    at: 'accessToken',
    isThere: ({ settings }) => settings.userJwt !== '',
    made: none,
    ways: [
      { states: ['loggedOut', 'preparing', 'leaving', 'loggedIn'] },
      { faults: { preparing: 'cut' }, states: ['refused'] },
    ],
    does: { loggedOut: does('login.start'), refused: does('login.start'), leaving: logsIn, loggedIn: leaves },
  },
  'create an account': ownForm('account', 'userToken', 'accountId', idsOf('account'), [
    ...formWays(),
    { at: 'accessToken', states: ['blocked'] },
  ]),
  'create a data set': ownForm('dataset', 'account', 'dataSetId', (world) => world.answered('/datasets'), [
    ...formWays(),
    { at: 'accessToken', states: ['blocked'] },
    { at: 'userToken', states: ['blocked'] },
  ]),
} as const satisfies Record<string, User>;
