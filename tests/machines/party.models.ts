import type { Message } from '#contract/message.ts';
import { isUnsure, type PendingState } from '#machines/lib/resend.ts';
import { authoriseLinkOf, type Outcome } from '#machines/lib/messageOutcome.ts';
import { messageIn } from '#machines/lib/messaging.ts';
import type { Invoking } from '#machines/lib/state.ts';
import type { MessageContext } from '#machines/lib/message.machine.ts';
import {
  creditorMachine,
  debtorMachine,
  mayAuthorise,
  type Context as PartyContext,
} from '#machines/party/party.machine.ts';
import { creditorQueryMachine, debtorQueryMachine } from '#machines/party/query.machine.ts';
import { factsAfter, withFacts } from '#tests/support/facts.ts';
import { creditor, debtor, failure, provider, rules } from '#tests/support/fixtures.ts';
import { bodyOfCreditor, bodyOfDebtor, listOf, messageOf } from '#tests/support/messages.ts';
import { modelOf } from '#tests/support/paths.ts';
import { errorsIn, typed } from '#tests/support/formTyping.ts';

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

type Conversing = Invoking & PendingState;

/** Messages of which nobody knows whether the service has them: the one that is followed, and those in the list. */
function unsure({ invoked, pending }: Conversing): string[] {
  const { messageId, outcome } = messageIn({ invoked });
  return [
    ...new Set([
      ...(isUnsure(outcome) ? [messageId] : []),
      ...pending.filter(isUnsure).map((message) => message.messageId),
    ]),
  ];
}
const repeats = (context: Conversing) => unsure(context).map((id) => ({ id }));
const unsureIn = (context: Conversing) => [isUnsure(messageIn(context).outcome), unsure(context)];
const exists = { ...failure, code: 'exists-already', detail: 'Paper & Sons exists already' } as const;
const sent = (messageId: string) => ({ messageId, pending: false, held: false });
const party = (pending: Message) => ({
  facts,
  answers: {
    loadRules: {
      'no pending message': { rules, pending: [] },
      'a pending message': { rules, pending: [pending] },
      'a message that may not have arrived': { rules, pending: [{ ...pending, forwarded: false }] },
    },
    send: {
      'an id': sent(pending.messageId),
      'the pending one': { messageId: pending.messageId, pending: true, held: true },
      'one that exists': { messageId: '', pending: false, held: true, exists },
    },
    askOutcome: { ...outcomes, 'a link': aLink },
    watch: { ...outcomes, 'a link': aLink },
    sendAgain: { 'the message': pending },
  },
  events: {
    ...typed,
    'message.sendAgain': repeats,
    // Without a link there is nothing to press.
    'authorise.open': (context: PartyContext) => (mayAuthorise({ context }) ? [{}] : []),
  },
  reads: (context: PartyContext) => [
    errorsIn(context),
    unsureIn(context),
    authoriseLinkOf(context.outcome),
    context.outcome?.state,
  ],
});

export const debtorModel = modelOf(debtorMachine)(
  party(messageOf({ kind: 'debtoraccountputs', resourceId: debtor.debtorId, data: bodyOfDebtor(debtor) })),
);
export const creditorModel = modelOf(creditorMachine)(
  party(messageOf({ kind: 'creditorputs', resourceId: creditor.creditorId, data: bodyOfCreditor(creditor) })),
);

/** What awaits its answer when the page is opened. */
const begun = <Party>(deletes: string, queries: string, resourceId: string, party: Party) => {
  const deletion = messageOf({ kind: deletes, resourceId });
  const asked = messageOf({ kind: queries, messageId: 'query-0' });
  const none: Party[] = [];
  const loaded = {
    'nothing pending': { known: none, pending: [], asked: null },
    'a known row': { known: [party], pending: [], asked: null },
    'a pending deletion': { known: [party], pending: [deletion], asked: null },
    'a deletion that may not have arrived': { known: none, pending: [{ ...deletion, forwarded: false }], asked: null },
    'a query under way': { known: none, pending: [], asked },
    'a query that may not have arrived': { known: none, pending: [], asked: { ...asked, forwarded: false } },
    'a pending deletion and a query': { known: none, pending: [deletion], asked },
  };
  return { deletion, loaded };
};

/** Answers that only a query has, or only a deletion. */
const ofQueries = ['the id of a query', 'an empty list', 'a row', 'a list that is gone'];
const ofDeletions = ['the id of a deletion', 'acceptance'];

/** Whether the message is a query, sent now or before. */
const isQuery = ({ invoked }: Invoking): boolean => {
  const { request, messageId } = (invoked?.context ?? { request: null, messageId: '' }) as MessageContext; // of the message
  return request ? request.request === 'query' : messageId.startsWith('query');
};

interface Queried extends Invoking, PendingState {
  parties: readonly unknown[];
  listed: boolean;
  asked: unknown;
}

const query = <Party>(empty: Outcome, one: Outcome, id: string, begins: ReturnType<typeof begun<Party>>) => ({
  facts,
  answers: {
    loadQuery: begins.loaded,
    clearAnswer: { nothing: undefined },
    send: { 'the id of a query': sent('query-1'), 'the id of a deletion': sent('deletion-1') },
    askOutcome: {
      ...outcomes,
      'an empty list': empty,
      'a row': one,
      'a list that is gone': { state: 'accepted', detail: '' } as const,
    },
    sendAgain: { 'the message': begins.deletion },
  },
  tries: (context: Queried, answer: string) => !(isQuery(context) ? ofDeletions : ofQueries).includes(answer),
  events: { 'message.sendAgain': repeats, 'party.delete': () => [{ id }, { id: 'unknown' }] },
  reads: (context: Queried) => [
    context.parties.length,
    context.listed,
    messageIn(context).overdue,
    context.asked !== null,
    unsureIn(context),
  ],
});

export const debtorQueryModel = modelOf(debtorQueryMachine)(
  query(
    listOf({ debtors: [] }),
    listOf({ debtors: [debtor] }),
    debtor.debtorId,
    begun('debtoraccountdeletes', 'debtoraccountlistqueries', debtor.debtorId, debtor),
  ),
);
export const creditorQueryModel = modelOf(creditorQueryMachine)(
  query(
    listOf({ creditors: [] }),
    listOf({ creditors: [creditor] }),
    creditor.creditorId,
    begun('creditordeletes', 'creditorlistqueries', creditor.creditorId, creditor),
  ),
);
