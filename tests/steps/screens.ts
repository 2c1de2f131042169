import { transferAmount } from '#contract/constants.ts';
import { accessTokenMachine } from '#machines/onboarding/accessToken.machine.ts';
import { additionalDataMachine } from '#machines/lookup/additionalData.machine.ts';
import { authorisationMachine } from '#machines/subscription/authorisation.machine.ts';
import { batchMachine } from '#machines/batch/batch.machine.ts';
import { batchListMachine } from '#machines/batch/batchList.machine.ts';
import { creditorMachine } from '#machines/party/party.machine.ts';
import { creditorQueryMachine } from '#machines/party/query.machine.ts';
import { debtorMachine } from '#machines/party/party.machine.ts';
import { debtorQueryMachine } from '#machines/party/query.machine.ts';
import { usersEvents } from '../../scripts/charts/chartOf.ts';
import type { JourneyId } from '#machines/journeys.ts';
import { fillText, formEventTexts } from '#machines/lib/form.ts';
import { models } from '#tests/machines/models.ts';
import {
  bankFilesMachine,
  consumerHealthMachine,
  messagingHealthMachine,
  providersMachine,
  translationsMachine,
} from '#machines/lookup/lookup.machine.ts';
import { electronicPaymentMachine, filePaymentMachine } from '#machines/payment/payment.machine.ts';
import { settingsMachine } from '#machines/settings/settings.machine.ts';
import { transferMachine } from '#machines/payment/transfer.machine.ts';
import { userTokenMachine } from '#machines/onboarding/userToken.machine.ts';
import {
  choose,
  fill,
  fillIn,
  screenOf,
  follow,
  press,
  setDate,
  tick,
  write,
  type Screen,
  type User,
} from '#tests/support/gestures.ts';
import { creditor, debtor } from '#tests/support/fixtures.ts';

const common = {
  'alert.close': press('Back to home'),
  'form.cancel': press('Stop waiting', 'Cancel', 'Close'),
  retry: press('Try again', 'Resend with the same key', 'Refresh'),
};

const form = (submit: string) => ({
  ...common,
  'form.change': fillIn,
  'form.fill': fill,
  'form.submit': press(submit),
});

/** By the names of its questions, their lists. */
const lookup = (lists: Readonly<Record<string, string>>) => ({
  ...common,
  'question.change': (user: User, { name, value }: { name: string; value: string }) =>
    choose(user, lists[name] ?? name, value),
});

/** Ticks and unticks invoices until no others are ticked; an example has ticked several. */
async function tickInvoices(
  user: User,
  { ids }: { ids: readonly string[] },
  { ticked }: { ticked: readonly string[] },
): Promise<void> {
  for (const id of new Set([...ticked, ...ids]))
    if (ids.includes(id) !== ticked.includes(id)) await tick(user, `Pay invoice ${id}`);
}

const payment = {
  ...form('Review'),
  'format.choose': (user: User, { fileFormatId }: { fileFormatId: string }) =>
    choose(user, 'Bank file template', fileFormatId),
  'debtor.choose': (user: User, { debtorId }: { debtorId: string }) => choose(user, 'Bank account', debtorId),
  'invoices.ask': (user: User, { count }: { count: number }) => choose(user, 'Show', String(count)),
  'invoices.tick': tickInvoices,
  'date.choose': async (_: User, { date }: { date: string }) => setDate('Execution date', date),
  'again.allow': (user: User) => tick(user, /^Pay (it|them) again anyway$/),
  'review.back': press('Back'),
  'total.confirm': (user: User, { text }: { text: string }) => write(user, 'Type the total to pay real money', text),
  'payment.pay': press(/^(Pay [\d,.]|Resend with the same key)/),
};

const paymentWords = { 'review.paying': 'Paying …' };

/** Names by which a row is deleted. */
const names: Readonly<Record<string, string>> = {
  [debtor.debtorId]: debtor.debtorAccountname,
  [creditor.creditorId]: creditor.creditorname,
};
/** One in the list has its name beside it. */
const repeats = { 'message.sendAgain': press('Send again', 'Send again Paper & Sons') };

const query = (party: string) => ({
  ...common,
  ...repeats,
  'form.cancel': press('Cancel', 'Close'),
  'query.send': press(`Query ${party}s`),
  'party.delete': (user: User, { id }: { id: string }) => press(`Delete ${names[id] ?? id}`)(user),
  'delete.confirm': press('Delete'),
  'delete.dismiss': press('Cancel'),
  'answer.leave': press('Stop waiting'),
});
const party = (one: 'debtor' | 'creditor', submit: string) => ({
  ...form(submit),
  ...repeats,
  'party.another': press(`Create another ${one}`),
  'party.again': press(`Create a second ${one} with these values`),
  'answer.await': press('Wait for the webhook'),
  'authorise.open': press('Authorise', 'Authorise ↗'),
  'authorise.close': press('Close approval page'),
});
const partyWords = {
  'messaging.waiting, messaging.resending, approving.waiting': 'You may leave this page.',
  approving: 'Approve at ',
  pending: 'is already waiting for the provider’s webhook',
};
const queryWords = {
  'querying.sending': 'Sending the query.',
  'querying.waiting, querying.resending, deleting.waiting, deleting.resending': 'You may leave this page.',
  clearing: 'Webhook received. Storing the list.',
  confirming: 'This cannot be undone.',
  'deleting.sending, deleting.waiting, deleting.resending': 'Deleting ',
};

type Row = { id: string };
const onRow =
  (...verbs: string[]) =>
  (user: User, { id }: Row) =>
    press(...verbs.map((verb) => `${verb} subscription ${id}`))(user);

/** What the words of its chart do not say of a journey's screen, and what is shown in some of its states only. */
const screens: Partial<Record<JourneyId, Screen>> = {
  settings: screenOf(settingsMachine)(
    {
      ...common,
      'setting.change': (user, { value }) => choose(user, 'Provider country', value),
      'settings.fill': press('Fill with example'),
      'form.submit': press('Continue'),
    },
    { saving: 'Saving …', unsaved: 'The last change is not saved' },
  ),
  consumerHealth: screenOf(consumerHealthMachine)(lookup({})),
  messagingHealth: screenOf(messagingHealthMachine)(lookup({})),
  translations: screenOf(translationsMachine)(lookup({ entityType: 'Rules of' })),
  accessToken: screenOf(accessTokenMachine)(
    { ...common, 'token.reveal': press('Reveal'), 'token.hide': press('Hide') },
    { revealed: 'Shown for a short while' },
  ),
  userToken: screenOf(userTokenMachine)(
    { ...common, 'login.start': press('Log in', 'Log in again') },
    { leaving: 'Going to the identity provider' },
  ),
  authorisation: screenOf(authorisationMachine)(
    {
      ...common,
      'subscription.select': onRow('Select'),
      'subscription.authorise': onRow('Authorise'),
      'subscription.update': onRow('Update'),
      'subscription.suspend': onRow('Suspend', 'Unsuspend'),
      'subscription.follow': onRow('Wait for the update of'),
      'answer.await': press('Wait for the webhook'),
      'update.again': press('Send this update as well'),
      ...repeats,
      'authorise.close': press('Close approval page'),
      'form.change': fillIn,
      'form.submit': press('Send update'),
    },
    { approving: 'Waiting for approval. Checking automatically.', updating: 'Update subscription' },
  ),
  bankFiles: screenOf(bankFilesMachine)(lookup({ country: 'Bank file country' })),
  providers: screenOf(providersMachine)(lookup({ language: 'Language' })),
  additionalData: screenOf(additionalDataMachine)({
    ...common,
    'form.change': fillIn,
    'form.fill': fill,
    'provider.choose': (user, { providerId }) => choose(user, 'Rules of provider', providerId),
    'rules.paste': async (user, { text }) => {
      await write(user, 'Or rules as JSON', text);
      await press('Use these rules')(user);
    },
    'path.choose': (user, { apiPath }) => choose(user, 'Form for', apiPath),
  }),
  debtor: screenOf(debtorMachine)(party('debtor', 'Create debtor'), partyWords),
  debtorQuery: screenOf(debtorQueryMachine)(query('debtor'), queryWords),
  creditor: screenOf(creditorMachine)(party('creditor', 'Create creditor'), partyWords),
  creditorQuery: screenOf(creditorQueryMachine)(query('creditor'), queryWords),
  electronicPayment: screenOf(electronicPaymentMachine)(payment, paymentWords),
  filePayment: screenOf(filePaymentMachine)(payment, paymentWords),
  batch: screenOf(batchMachine)(
    {
      ...common,
      'batch.read': press('Refresh'),
      'file.download': press('Download bank file'),
      'authorise.open': follow('Authorise ↗'),
      'authorise.close': press('Close approval page'),
    },
    {
      'following, approving.waiting': 'Checks every second',
      approving: 'Approve at ',
      downloading: 'Downloading …',
    },
  ),
  batchList: screenOf(batchListMachine)(
    { ...common, 'batch.poll': (user, { id }) => press(`Poll For Update of batch ${id}`)(user) },
    { polling: 'Polling …' },
  ),
  transfer: screenOf(transferMachine)(
    { ...common, 'transfer.open': press(transferAmount.label) },
    { opened: 'was opened in a new tab' },
  ),
};

type Gesture = Screen['gestures'][string];

/** The gesture that an event's words tell: a button by its label, a list, the field of a form. */
function gestureFor(words: readonly string[]): Gesture | undefined {
  const labels = words.flatMap((each) => [...each.matchAll(/“([^”]+)”/g)].map(([, label = '']) => label));
  const [first = '', ...others] = words;
  if (words.includes(fillText)) return fill;
  if (words.some((each) => each.startsWith('Press '))) return press(...labels);
  if (first === formEventTexts['form.change']) return fillIn as Gesture; // only forms hear it
  if (!first.startsWith('Choose in ') || others.length > 0) return undefined;
  return (user, event) => {
    const { type: _type, ...payload } = event as Record<string, unknown>; // an event
    return choose(user, labels[0] ?? '', String(Object.values(payload)[0]));
  };
}

/** How a user makes each event on the screen of a journey, as the words of its chart say where nothing else is said. */
export function screenFor(id: JourneyId): Screen {
  const told = [...usersEvents(models[id].machine)].flatMap(([type, words]) => {
    const gesture = gestureFor([...words]);
    return gesture ? [[type, gesture] as const] : [];
  });
  const { gestures, shows } = screens[id] ?? { gestures: {}, shows: {} };
  return { gestures: { ...Object.fromEntries(told), ...common, ...gestures }, shows };
}
