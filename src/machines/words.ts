/**
 * What moves the machines, in the words of the screen: for charts, for the way to a state, for names of tests. What
 * stands in typographic quotes is the label of a control.
 */

import { leave, press } from './say.ts';

/** What the user does, by the event's type. */
export const eventWords: Readonly<Record<string, string>> = {
  'answer.await': press('Wait for that answer'),
  'answer.leave': press('Stop waiting'),
  'authorise.open': press('Authorise'),
  'authorise.close': press('Close the authorise page'),
  'delete.confirm': press('Delete'),
  'delete.dismiss': press('Cancel'),
  'party.again': press('Create a second'),
  'party.another': press('Create another'),
  'party.delete': press('Delete'),
};

const submit = (label: string) => ({ 'form.submit': press(label) });
const party = (label: string) => ({ ...submit(label), 'form.cancel in answering': press('Stop waiting') });
// A dialog lies over the page's own Cancel.
const query = (label: string) => ({ 'query.send': press(label), 'form.cancel in confirming': leave });

/** Events that a machine's own screen, or its screen in one state, calls otherwise. */
export const ownWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  debtor: party('Create Debtor'),
  creditor: party('Create Creditor'),
  debtorQuery: query('Query debtors'),
  creditorQuery: query('Query creditors'),
};

/** Time that passes, by the delay's name. */
export const delayWords: Readonly<Record<string, string>> = {};

/** What has to hold for a branch, by its guard; the branch after all of them is taken otherwise. */
export const guardWords: Readonly<Record<string, string>> = {
  exists: 'the row is there',
  hasArrived: 'the list is there',
  hasPending: 'one awaits its answer',
  isAuthorising: 'its page is open',
  isInList: 'it is in the list',
  isListed: 'the provider’s list was read',
  isOverdue: 'no answer has come for long',
  isRefused: 'the provider refused',
  mayAuthorise: 'it waits for that',
  valid: 'nothing is in error',
  wasPending: 'the same awaits its answer',
};
