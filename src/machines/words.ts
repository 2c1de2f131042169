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
  'company.use': press('Use'),
  'delete.confirm': press('Delete'),
  'delete.dismiss': press('Cancel'),
  confirm: press('Remove', 'Reveal once'),
  dismiss: press('Cancel'),
  'existing.open': press('Enter an existing company'),
  'existing.submit': press('Use this company'),
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
  'token.hide': press('Hide'),
  'token.reveal': press('Reveal'),
};

const submit = (label: string) => ({ 'form.submit': press(label) });
const close = { 'form.cancel': press('Close') };
const leaves = { 'form.cancel': leave };
const health = { ...leaves, retry: press('Check again', 'Try again') };
const party = (label: string) => ({ ...submit(label), 'form.cancel in answering': press('Stop waiting') });
// A dialog lies over the page's own Cancel.
const query = (label: string) => ({ 'query.send': press(label), 'form.cancel in confirming': leave });

/** Events that a machine's own screen, or its screen in one state, calls otherwise. */
export const ownWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  organisation: submit('Create Organisation'),
  company: submit('Create Company'),
  account: submit('Create Account'),
  dataset: submit('Create DataSet'),
  subscription: submit('Create Subscription'),
  bankSubscription: submit('Create Subscription'),
  debtor: party('Create Debtor'),
  creditor: party('Create Creditor'),
  debtorQuery: query('Query debtors'),
  creditorQuery: query('Query creditors'),
  accessToken: close,
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
  hasToken: 'a token is stored',
  hasPending: 'one awaits its answer',
  isAuthorising: 'its page is open',
  isInList: 'it is in the list',
  isListed: 'the provider’s list was read',
  isOverdue: 'no answer has come for long',
  isOffered: 'it is offered',
  isThere: 'one is there already',
  isRefused: 'the provider refused',
  mayAuthorise: 'it waits for that',
  valid: 'nothing is in error',
  wasPending: 'the same awaits its answer',
  wasRefused: 'the login was refused',
};
