import { creditorMachine } from '#machines/party/party.machine.ts';
import { creditorQueryMachine } from '#machines/party/query.machine.ts';
import { debtorMachine } from '#machines/party/party.machine.ts';
import { debtorQueryMachine } from '#machines/party/query.machine.ts';
import type { Message } from '#contract/message.ts';
import { isUnsure, type PendingState } from '#machines/again.ts';
import { authoriseLinkOf, isAuthorising, mayAuthorise, type AnswerState, type Outcome } from '#machines/answer.ts';
import type { FormState } from '#machines/form.ts';
import { factsAfter, withFacts } from '#tests/support/facts.ts';
import { creditor, debtor, provider, rules } from '#tests/support/material.ts';
import { messageOf } from '#tests/support/messages.ts';
import { modelOf } from '#tests/support/paths.ts';
import { errorsIn, typed } from '#tests/support/typing.ts';

const { providerId, name } = provider;
const capabilities = ['DebtorAccountRequired', 'DebtorQueries', 'CreditorQueries', 'IFramePermitted'];
const usable = withFacts(factsAfter('authorisation'), { provider: { providerId, name, capabilities } });

/** Facts at each gate of the four pages, and beyond the last. */
const facts = {
  'no subscription': factsAfter('dataset'),
  'no provider': withFacts(usable, { provider: null }),
  'an incapable provider': withFacts(usable, { provider: { providerId, name, capabilities: [] } }),
  'a usable subscription': usable,
};

const outcomes = {
  'no outcome': { state: 'waiting', detail: '' },
  acceptance: { state: 'accepted', detail: '' },
  refusal: { state: 'refused', detail: 'The account is closed' },
} satisfies Record<string, Outcome>;

const authorise = 'http://provider.test/authorise/1';
const aLink = { state: 'waiting', detail: '', status: 'AwaitingAuthorisation', authorise, followed: true } as const;

type Authorising = AnswerState & { authorising: boolean };

/** Messages of which nobody knows whether the service has them: the one that is followed, and those in the list. */
const unsure = ({ messageId, outcome, pending }: AnswerState & PendingState): string[] => [
  ...new Set([
    ...(isUnsure(outcome) ? [messageId] : []),
    ...pending.filter(isUnsure).map((message) => message.messageId),
  ]),
];
const repeats = (context: AnswerState & PendingState) => unsure(context).map((id) => ({ id }));
const unsureIn = (context: AnswerState & PendingState) => [isUnsure(context.outcome), unsure(context)];
const sent = (messageId: string) => ({ messageId, pending: false });
const party = (pending: Message) => ({
  answers: {
    loadRules: {
      ...Object.fromEntries(Object.entries(facts).map(([stage, each]) => [stage, { facts: each, rules, pending: [] }])),
      'a pending message': { facts: usable, rules, pending: [pending] },
      'a message that may not have arrived': { facts: usable, rules, pending: [{ ...pending, forwarded: false }] },
    },
    putParty: { 'an id': sent(pending.messageId), 'the pending one': { messageId: pending.messageId, pending: true } },
    askOutcome: { ...outcomes, 'a link': aLink },
    sendAgain: { 'the message': pending },
  },
  events: {
    ...typed,
    'message.sendAgain': repeats,
    // Without a link there is nothing to press.
    'authorise.open': (context: Authorising) => (mayAuthorise({ context }) ? [{}] : []),
    'authorise.close': (context: Authorising) => (isAuthorising({ context }) ? [{}] : []),
  },
  reads: (context: FormState & Authorising & PendingState) => [
    errorsIn(context),
    unsureIn(context),
    authoriseLinkOf(context.outcome),
    context.authorising,
  ],
});

export const debtorModel = modelOf(debtorMachine)({
  ...party(messageOf({ kind: 'debtoraccountputs', resourceId: debtor.debtorId })),
});
export const creditorModel = modelOf(creditorMachine)({
  ...party(messageOf({ kind: 'creditorputs', resourceId: creditor.creditorId })),
});

const looked = <Answer>(answer: Answer, overdue = false) => ({ answer, overdue });
const query = <Party>(found: Party, id: string, kind: string) => ({
  answers: {
    loadQuery: {
      ...Object.fromEntries(Object.entries(facts).map(([stage, each]) => [stage, { facts: each, pending: [] }])),
      'a pending deletion': { facts: usable, pending: [messageOf({ kind, resourceId: id })] },
      'a deletion that may not have arrived': {
        facts: usable,
        pending: [messageOf({ kind, resourceId: id, forwarded: false })],
      },
    },
    sendQuery: { 'an id': { messageId: 'query-1' } },
    readAnswer: {
      nothing: looked(null),
      'nothing for long': looked(null, true),
      'an empty list': looked({ webhookId: 'webhook-1', parties: [] }),
      'a row': looked({ webhookId: 'webhook-2', parties: [found] }),
    },
    clearAnswer: { nothing: undefined },
    deleteParty: { 'an id': sent('deletion-1') },
    askOutcome: outcomes,
    sendAgain: { 'the message': messageOf({ kind, resourceId: id }) },
  },
  events: { 'message.sendAgain': repeats, 'party.delete': () => [{ id }, { id: 'unknown' }] },
  reads: (context: AnswerState & PendingState & { parties: readonly Party[]; listed: boolean; overdue: boolean }) => [
    context.parties.length,
    context.listed,
    context.overdue,
    unsureIn(context),
  ],
});

export const debtorQueryModel = modelOf(debtorQueryMachine)({
  ...query(debtor, debtor.debtorId, 'debtoraccountdeletes'),
});
export const creditorQueryModel = modelOf(creditorQueryMachine)({
  ...query(creditor, creditor.creditorId, 'creditordeletes'),
});
