import type { StepTable } from '../step.ts';
import { CreditorQueryStep } from './CreditorQueryStep.tsx';
import { CreditorStep, DebtorStep } from './PartyStep.tsx';
import { DebtorQueryStep } from './DebtorQueryStep.tsx';
import { requests } from '#contract/requests/requests.ts';
import type { FormState } from '#machines/lib/form.ts';
import { putOf } from '#rules/party.ts';
import { nested } from '#rules/payload.ts';
import { byPaths, contextIn, nothing, type PreviewOf } from '../preview.ts';

const party =
  (kind: 'debtoraccountputs' | 'creditorputs', id: 'debtorId' | 'creditorId'): PreviewOf =>
  (snapshot, { settings }, key, own) => {
    const state = contextIn<FormState>(snapshot);
    const data = putOf(id, nested(state.form, state.values), own, settings.subscriptionId);
    const request = requests.message(kind, data, key);
    return { request, lineOf: byPaths(state, 'data.', request) };
  };

/** The query; or the deletion that is being confirmed or sent. */
const query =
  (
    list: 'debtoraccountlistqueries' | 'creditorlistqueries',
    remove: 'debtoraccountdeletes' | 'creditordeletes',
    id: 'debtorId' | 'creditorId',
  ): PreviewOf =>
  (snapshot, { settings: { subscriptionId } }, key) => {
    const { resourceId } = contextIn<{ resourceId: string }>(snapshot);
    const request = ['confirming', 'deleting'].some((state) => snapshot.matches(state))
      ? requests.message(remove, { subscriptionId, [id]: resourceId }, key)
      : requests.message(list, { subscriptionId }, key);
    return { request, lineOf: nothing };
  };

/** How the journeys of this area present themselves. */
export const partySteps = {
  debtor: {
    Step: DebtorStep,
    layout: 'form',
    calls: ['putDebtor', 'sendMessageAgain'],
    preview: party('debtoraccountputs', 'debtorId'),
  },
  debtorQuery: {
    Step: DebtorQueryStep,
    layout: 'list',
    rows: { member: 'parties', id: 'debtorId', name: 'debtorAccountname', kind: 'Debtor' },
    calls: ['queryDebtors', 'deleteDebtor', 'sendMessageAgain'],
    preview: query('debtoraccountlistqueries', 'debtoraccountdeletes', 'debtorId'),
  },
  creditor: {
    Step: CreditorStep,
    layout: 'form',
    calls: ['putCreditor', 'sendMessageAgain'],
    preview: party('creditorputs', 'creditorId'),
  },
  creditorQuery: {
    Step: CreditorQueryStep,
    layout: 'list',
    rows: { member: 'parties', id: 'creditorId', name: 'creditorname', kind: 'Creditor' },
    calls: ['queryCreditors', 'deleteCreditor', 'sendMessageAgain'],
    preview: query('creditorlistqueries', 'creditordeletes', 'creditorId'),
  },
} as const satisfies StepTable;
