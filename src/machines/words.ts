/**
 * What moves the machines, in the words of the screen: for charts, for the way to a state, for names of tests. What
 * stands in typographic quotes is the label of a control.
 */

import { choose, leave, press } from './say.ts';

/** What the user does, by the event's type. */
export const eventWords: Readonly<Record<string, string>> = {
  'another.create': press('Create another'),
  'answer.await': press('Wait for that answer'),
  'answer.leave': press('Stop waiting'),
  'authorise.open': press('Authorise'),
  'authorise.close': press('Close the authorise page'),
  'batch.poll': press('Poll For Update'),
  'batch.read': press('Look again'),
  'company.use': press('Use'),
  'delete.confirm': press('Delete'),
  'delete.dismiss': press('Cancel'),
  confirm: press('Remove', 'Reveal once'),
  dismiss: press('Cancel'),
  'existing.open': press('Enter an existing company'),
  'existing.submit': press('Use this company'),
  'file.download': press('Download bank file'),
  'key.hide': press('Hide'),
  'key.reveal': press('Reveal signing key'),
  'login.start': press('Log in'),
  'party.again': press('Create a second'),
  'party.another': press('Create another'),
  'party.delete': press('Delete'),
  'path.choose': choose('Form for'),
  'provider.choose': choose('Select Provider'),
  'question.change': 'Change a choice',
  'record.remove': press('Remove'),
  'rules.paste': press('Use these rules'),
  'setting.change': 'Change a setting',
  'subscription.authorise': press('Authorise'),
  'subscription.follow': press('Wait for the update of'),
  'subscription.select': press('Select'),
  'subscription.suspend': press('Suspend', 'Unsuspend'),
  'subscription.update': press('Update'),
  'update.again': press('Send this update as well'),
  'token.hide': press('Hide'),
  'token.reveal': press('Reveal'),
};

const submit = (label: string) => ({ 'form.submit': press(label) });
const close = { 'form.cancel': press('Close') };
const leaves = { 'form.cancel': leave };
const health = { ...leaves, retry: press('Look again', 'Try again') };
const party = (label: string) => ({ ...submit(label), 'form.cancel in answering': press('Stop waiting') });
// A dialog lies over the page's own Cancel.
const query = (label: string) => ({ 'query.send': press(label), 'form.cancel in confirming': leave });

/** Events that a machine's own screen, or its screen in one state, calls otherwise. */
export const ownWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  organisation: submit('Create organisation'),
  company: submit('Create company'),
  account: submit('Create account'),
  dataset: submit('Create data set'),
  subscription: submit('Create Subscription'),
  bankSubscription: submit('Create Subscription'),
  debtor: party('Create debtor'),
  creditor: party('Create creditor'),
  debtorQuery: query('Query debtors'),
  creditorQuery: query('Query creditors'),
  accessToken: close,
  authorisation: {
    ...close,
    ...submit('Send update'),
    retry: press('Look again', 'Try again'),
    'form.cancel in updating': press('Cancel', 'Stop waiting'),
  },
  settings: close,
  consumerHealth: health,
  messagingHealth: health,
  translations: leaves,
  bankFiles: leaves,
  providers: leaves,
  additionalData: { ...leaves, 'provider.choose': choose('Rules of provider') },
};

/** Time that passes, by the delay's name. */
export const delayWords: Readonly<Record<string, string>> = {
  keyTime: 'A minute passes',
  revealTime: '20 seconds pass',
};

/** What has to hold for a branch, by its guard; the branch after all of them is taken otherwise. */
export const guardWords: Readonly<Record<string, string>> = {
  exists: 'the row is there',
  hasArrived: 'the list is there',
  hasEnded: 'it has ended',
  hasFile: 'there is a file',
  hasMore: 'more changes wait',
  hasNoLanguage: 'its country has no language',
  hasToken: 'a token is stored',
  hasPending: 'one awaits its answer',
  isAuthorising: 'its page is open',
  isAnother: 'it is another update',
  isAwaited: 'an update awaits its answer',
  isNone: 'there is no batch',
  isInList: 'it is in the list',
  isListed: 'the provider’s list was read',
  isOverdue: 'no answer has come for long',
  isKept: 'it is kept here',
  isOffered: 'it is offered',
  isThere: 'one is there already',
  isRefused: 'the provider refused',
  mayAuthorise: 'it waits for that',
  mayUpdate: 'its provider has rules for it',
  maySuspend: 'it is Authorised',
  valid: 'nothing is in error',
  wasPending: 'the same awaits its answer',
  wasRefused: 'the login was refused',
};
