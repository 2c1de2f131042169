import { textOrEmpty } from '#contract/text.ts';
import type { PaymentFile } from '#contract/batch.ts';
import type { Settings } from '#contract/settings.ts';
import { isAuthorised, statusOf } from '#contract/status.ts';
import type { JourneyContext } from '#machines/lib/gate.ts';
import type { JourneyId } from '#machines/journeys.ts';
import { authoriseOf, type BatchView } from '#machines/batch/batch.ts';
import { authoriseLinkOf, type Outcome } from '#machines/lib/messageOutcome.ts';
import type { Login } from '#machines/onboarding/userToken.machine.ts';
import { shownSettings, type Change } from '#machines/settings/changes.ts';
import type { Context as SubscriptionContext } from '#machines/subscription/choice.ts';
import { authoriseBlocked, hasEnded, isDecided, type RowsState } from '#machines/subscription/rows.ts';
import { requirement } from '#machines/requirements.ts';
import { fieldsOf } from '#contract/forms.ts';
import {
  done,
  fillAndSubmit,
  fillIn,
  send,
  stuck,
  wait,
  type ChoiceKind,
  type Moves,
  type Place,
  type Runnable,
} from './actions.ts';
import { payment } from './payment.ts';

const isForm = (state: string): boolean => state === 'form.editing' || state === 'form.invalid';

/** The user's choice on a page of the sandbox; by default the one with which the journey continues. */
const decided = ({ walk }: Place, usual = 'approve'): string => textOrEmpty(walk.choices['decision']) || usual;

/** Visits the page behind a link, once. */
const authorise = (place: Place, url: string) =>
  url === ''
    ? null
    : place.once(`visit ${url}`, { kind: 'visit', visit: { page: 'authorise', url, decision: decided(place) } });

/** One of the console's own forms; creates another one if one exists already. */
const ownForm: Moves = (place) => (isForm(place.state) ? fillAndSubmit(place) : null);

/** The settings chosen on the sandbox if none are given. */
const usualSettings = { providerCountry: 'GB', fileFormatCountry: 'GB', acceptLanguage: 'en' } as const;

const settings: Moves = ({ state, now, walk, facts, once }) => {
  if (state !== 'choosing') return null;
  const context = now.context as JourneyContext & { queue: Change[] }; // the settings journey's
  const shown = shownSettings(context);
  const usual: Partial<Settings> =
    facts.environment !== 'sandbox' || requirement('settings').isMet(context.facts) ? {} : usualSettings;
  for (const [key, value] of Object.entries({ ...usual, ...walk.values })) {
    const isSet = shown[key as keyof Settings] === value; // the file's check permits only these keys
    const change = !isSet && once(key, send({ type: 'setting.change', key, value }));
    if (change) return change;
  }
  return done;
};

const userToken: Moves = (place) => {
  const { state, now, walk, once } = place;
  if (state === 'loggedIn') return done;
  if (state === 'loggedOut')
    return once('log in', send({ type: 'login.start' })) ?? stuck('The login returned no token');
  const { login } = now.context as { login: Login | null };
  if (state !== 'leaving' || !login) return null;
  const visit = { page: 'login', url: login.action, fields: login.fields, values: walk.values } as const;
  return once('visit', { kind: 'visit', visit: { ...visit, decision: decided(place, 'login') } }) ?? wait;
};

const subscription: Moves = (place) => {
  const { state, now, walk, once } = place;
  const { provider, providers } = now.context as SubscriptionContext;
  const wanted = textOrEmpty(walk.choices['provider']);
  const isWanted = ({ providerId, name }: { providerId: string; name: string }) => [providerId, name].includes(wanted);
  if (wanted && (state === 'choosing' || isForm(state)) && !(provider && isWanted(provider))) {
    const found = providers.find(isWanted);
    if (!found)
      return stuck(`choices.provider is "${wanted}": there are ${providers.map(({ name }) => name).join(', ')}`);
    if (state !== 'choosing') return once('clear', send({ type: 'provider.clear' }));
    return once('choose', send({ type: 'provider.choose', providerId: found.providerId }));
  }
  if (state === 'choosing')
    return now.can({ type: 'form.fill' })
      ? once('example', send({ type: 'form.fill' }))
      : stuck(`choices.provider is missing: give one of ${providers.map(({ name }) => name).join(', ')}`);
  return isForm(state) ? fillAndSubmit(place) : null;
};

const authorisation: Moves = (place) => {
  const { state, now } = place;
  const { rows, chosen } = now.context as RowsState;
  if (state === 'approving.waiting') return authorise(place, chosen?.authorise ?? '') ?? wait;
  if (state !== 'list.listing') return null;
  const row = rows.find(({ current }) => current) ?? rows[0];
  if (!row) return stuck('There is no subscription to authorise');
  const { subscriptionId: id, status, suspended } = row;
  if (isAuthorised(status)) return suspended ? send({ type: 'subscription.suspend', id }) : done;
  if (hasEnded(row)) return stuck(`Subscription ${id} is ${status}`);
  if (authoriseBlocked(row) === '' && !isDecided(row)) return send({ type: 'subscription.authorise', id });
  return { kind: 'pause', id, event: { type: 'retry' } }; // the provider has not sent a link yet
};

const party: Moves = (place) => {
  const { state, now, once } = place;
  if (isForm(state)) return fillAndSubmit(place);
  if (state === 'pending') return once('await', send({ type: 'answer.await' }));
  // Run again, a file creates no second one.
  if (state === 'existing') return done;
  // An answer awaited since before the journey was opened is not the one requested.
  if (!place.did('submit') && now.status === 'done') return { kind: 'reopen' };
  if (!place.did('submit') && now.can({ type: 'party.another' })) return send({ type: 'party.another' });
  if (state !== 'messaging.waiting' && state !== 'approving.waiting') return null;
  const url = authoriseLinkOf((now.context as { outcome: Outcome | null }).outcome); // of the parties' charts
  return (url && once(`open ${url}`, send({ type: 'authorise.open' }))) || (authorise(place, url) ?? wait);
};

const query: Moves = ({ state, once }) => {
  if (state === 'list.ready') return once('ask', send({ type: 'query.send' }));
  return state === 'list.listing' ? done : null;
};

/** The end statuses of a successful batch. */
const good = ['Completed', 'PaymentFileAvailable'];

const batch: Moves = (place) => {
  const { state, now, walk, once } = place;
  const { view, file } = now.context as { view: BatchView | null; file: PaymentFile | null };
  if (state === 'following') return view && (authorise(place, authoriseOf(view).link) ?? wait);
  if (state !== 'settled') return null;
  const download = file === null && now.can({ type: 'file.download' }) && once('file', send({ type: 'file.download' }));
  if (download) return download;
  const { batch, errors = [] } = view ?? {};
  const right = textOrEmpty(walk.choices['status']);
  const status = statusOf(batch?.status ?? '');
  if (right ? status === right : good.includes(status)) return done;
  const why = errors.map(({ message }) => message).join('; ');
  return stuck(`Batch ${batch?.batchId ?? ''} is ${batch?.status ?? 'unknown'}${why && `: ${why}`}`);
};

const batchList: Moves = ({ state, now, once }) => {
  if (state !== 'listing') return null;
  const [latest] = (now.context as { batches: readonly { batchId: string }[] }).batches;
  return (latest && once('poll', send({ type: 'batch.poll', id: latest.batchId }))) ?? done;
};

const transfer: Moves = ({ state, now, walk, once }) => {
  if (state === 'ready') return send({ type: 'transfer.open' });
  const url = (now.context as JourneyContext).facts.transferUrl;
  return once('visit', { kind: 'visit', visit: { page: 'transfer', url, values: walk.values } }) ?? done;
};

const lookup: Moves = ({ state, walk, once }) => {
  if (state !== 'shown') return null;
  for (const [name, value] of Object.entries(walk.values)) {
    const change = once(name, send({ type: 'question.change', name, value }));
    if (change) return change;
  }
  return done;
};

const additionalData: Moves = (place) => {
  const { state, now, walk, once } = place;
  if (state !== 'trying') return null;
  const { providers } = now.context as Pick<SubscriptionContext, 'providers'>;
  const wanted = textOrEmpty(walk.choices['provider']);
  const found = providers.find(({ providerId, name }) => wanted === '' || [providerId, name].includes(wanted));
  if (!found && wanted) return stuck(`choices.provider is "${wanted}": there is no such provider`);
  const choice = found && once('choose', send({ type: 'provider.choose', providerId: found.providerId }));
  return choice ?? fillIn(place) ?? done;
};

const decision: ChoiceKind = {
  is: ['approve', 'reject', 'cancel', 'expire'],
  means: 'what the user decides on the provider’s page; sandbox only',
};
const paymentChoices: Readonly<Record<string, ChoiceKind>> = {
  debtor: { is: 'text', means: 'id or name of the account to pay from' },
  invoices: { is: 'number or ids', means: 'how many open invoices to pay, or their ids' },
  date: { is: 'text', means: 'the execution date, such as 2026-01-31' },
  again: { is: 'yes or no', means: 'whether invoices that may be paid already are paid again' },
  total: { is: 'text', means: 'the total, typed to confirm a payment of real money' },
};
const provider: ChoiceKind = { is: 'text', means: 'id or name of the provider' };

/** How each journey is run. In a state without a move here, the common ones apply. */
export const table: Readonly<Record<JourneyId, Runnable>> = {
  settings: {
    moves: settings,
    fields: ['providerCountry', 'fileFormatCountry', 'acceptLanguage', 'useMock', 'useNetwork'],
  },
  organisation: { moves: ownForm, fields: fieldsOf('organisation').map(([field]) => field) },
  company: { moves: ownForm, fields: fieldsOf('company').map(([field]) => field) },
  accessToken: {
    moves: ({ state }) => (state === 'shown' || state === 'masked' ? done : null),
    fields: [],
  },
  userToken: {
    moves: userToken,
    fields: ['name', 'email'],
    choices: {
      decision: { is: ['login', 'refuse', 'expired'], means: 'what the identity provider does; sandbox only' },
    },
  },
  account: { moves: ownForm, fields: fieldsOf('account').map(([field]) => field) },
  dataset: { moves: ownForm, fields: fieldsOf('dataset').map(([field]) => field) },
  subscription: { moves: subscription, choices: { provider } },
  bankSubscription: { moves: subscription, choices: { provider } },
  authorisation: { moves: authorisation, fields: [], choices: { decision } },
  debtor: { moves: party, choices: { decision } },
  debtorQuery: { moves: query, fields: [] },
  creditor: { moves: party, choices: { decision } },
  creditorQuery: { moves: query, fields: [] },
  electronicPayment: { moves: payment, choices: paymentChoices },
  filePayment: {
    moves: payment,
    choices: { ...paymentChoices, format: { is: 'text', means: 'id or name of the bank file template' } },
  },
  batch: {
    moves: batch,
    fields: [],
    choices: {
      batch: { is: 'text', means: 'id of the batch; by default the one posted last' },
      decision,
      status: { is: 'text', means: 'the expected end status; by default Completed or PaymentFileAvailable' },
    },
    query: ({ choices }) => ({ batchId: textOrEmpty(choices['batch']) }),
  },
  batchList: { moves: batchList, fields: [] },
  transfer: { moves: transfer, fields: ['email', 'message'] },
  consumerHealth: { moves: lookup },
  messagingHealth: { moves: lookup },
  translations: { moves: lookup },
  bankFiles: { moves: lookup },
  providers: { moves: lookup },
  additionalData: { moves: additionalData, choices: { provider } },
};
