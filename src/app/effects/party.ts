import type { Message } from '#contract/message.ts';
import type { Sent } from '#machines/lib/messageOutcome.ts';
import type { JourneyInput } from '#machines/lib/gate.ts';
import { creditorMachine, debtorMachine, type PartyMaterial } from '#machines/party/party.machine.ts';
import { creditorQueryMachine, debtorQueryMachine } from '#machines/party/query.machine.ts';
import type { QueryMaterial, QuerySent } from '#machines/party/query.ts';
import { provideEffects } from '#machines/lib/effect.ts';
import { putOf } from '#rules/party.ts';
import { call } from '../api/client.ts';
import { withIdempotencyKey } from '../api/withIdempotencyKey.ts';
import type { JourneyCode } from '#machines/console.ts';
import { askOutcome, pendingOf, sendAgain, sent } from './messages.ts';
import { providerTerms } from './providerTerms.ts';

/** The effect `loadRules` for puts of this kind. */
const loadRulesOf =
  (kind: 'debtoraccountputs' | 'creditorputs') =>
  async ({ facts }: JourneyInput, signal: AbortSignal): Promise<PartyMaterial> => {
    const [{ rules }, pending] = await Promise.all([
      providerTerms(facts, signal),
      pendingOf(kind, facts.settings.subscriptionId, signal),
    ]);
    return { rules, pending };
  };

/** The debtor has the random id of the write, so that a repeated attempt names the same debtor. */
export const debtor = {
  machine: provideEffects(debtorMachine, {
    loadRules: loadRulesOf('debtoraccountputs'),
    askOutcome,
    sendAgain,
    putParty: ({ subscriptionId, body, again }, signal) => {
      const whilePending = again ? 'send' : 'refuse';
      return sent(
        withIdempotencyKey('putDebtor', { subscriptionId, body, whilePending }, (key, id) =>
          call('putDebtor', {
            body: { data: putOf('debtorId', body, id, subscriptionId), whilePending },
            key,
            signal,
          }),
        ),
      );
    },
  }),
} satisfies JourneyCode;

/** The creditor has the random id of the write, so that a repeated attempt names the same creditor. */
export const creditor = {
  machine: provideEffects(creditorMachine, {
    loadRules: loadRulesOf('creditorputs'),
    askOutcome,
    sendAgain,
    putParty: ({ subscriptionId, body, again }, signal) => {
      const whilePending = again ? 'send' : 'refuse';
      return sent(
        withIdempotencyKey('putCreditor', { subscriptionId, body, whilePending }, (key, id) =>
          call('putCreditor', {
            body: { data: putOf('creditorId', body, id, subscriptionId), whilePending },
            key,
            signal,
          }),
        ),
      );
    },
  }),
} satisfies JourneyCode;

interface Query {
  subscriptionId: string;
}

async function clearAnswer({ webhookId }: { webhookId: string }, signal: AbortSignal): Promise<void> {
  await call('setSetting', { body: { key: 'webhookData', value: JSON.stringify([webhookId]) }, signal });
}

/** The latest query of a kind about a subscription if its list has not arrived or has not been read; otherwise null. */
async function askedOf(kind: string, subscriptionId: string, signal: AbortSignal): Promise<Message | null> {
  if (subscriptionId === '') return null;
  const [latest] = (await call('listMessages', { query: { kind, subscriptionId, limit: '1' }, signal })).data;
  return latest && (latest.state === 'waiting' || latest.unread) ? latest : null;
}

interface PartyCalls<Party> {
  /** Message kinds of the puts and deletes of these parties, comma-separated (wire, section 6.1). */
  kinds: string;
  /** Message kind of the queries for them. */
  queries: string;
  /** The parties of the current subscription that the console has stored. */
  known: (request: { signal: AbortSignal }) => Promise<{ data: Party[] }>;
  query: (request: { body: { data: Query }; signal: AbortSignal }) => Promise<{ messageId: string }>;
  remove: (party: Query & { id: string }, signal: AbortSignal) => Promise<{ messageId: string }>;
}

/** The effects of a query for debtors or creditors. */
const queryPorts = <Party>({ kinds, queries, known, query, remove }: PartyCalls<Party>) => ({
  clearAnswer,
  askOutcome,
  sendAgain,
  async loadQuery({ facts }: JourneyInput, signal: AbortSignal): Promise<QueryMaterial<Party>> {
    const { subscriptionId } = facts.settings;
    const [{ data }, pending, asked] = await Promise.all([
      known({ signal }),
      pendingOf(kinds, subscriptionId, signal),
      askedOf(queries, subscriptionId, signal),
    ]);
    return { known: data, pending, asked };
  },
  sendQuery: ({ subscriptionId, lostQuery }: QuerySent, signal: AbortSignal): Promise<{ messageId: string }> =>
    lostQuery === ''
      ? query({ body: { data: { subscriptionId } }, signal })
      : sendAgain({ messageId: lostQuery }, signal),
  deleteParty: (party: Query & { id: string }, signal: AbortSignal): Promise<Sent> => sent(remove(party, signal)),
});

export const debtorQuery = {
  machine: provideEffects(
    debtorQueryMachine,
    queryPorts({
      kinds: 'debtoraccountputs,debtoraccountdeletes',
      queries: 'debtoraccountlistqueries',
      known: (request) => call('getDebtors', request),
      query: (request) => call('queryDebtors', request),
      remove({ subscriptionId, id }, signal) {
        const data = { subscriptionId, debtorId: id };
        return withIdempotencyKey('deleteDebtor', data, (key) => call('deleteDebtor', { body: { data }, key, signal }));
      },
    }),
  ),
} satisfies JourneyCode;

export const creditorQuery = {
  machine: provideEffects(
    creditorQueryMachine,
    queryPorts({
      kinds: 'creditorputs,creditordeletes',
      queries: 'creditorlistqueries',
      known: (request) => call('getCreditors', request),
      query: (request) => call('queryCreditors', request),
      remove({ subscriptionId, id }, signal) {
        const data = { subscriptionId, creditorId: id };
        return withIdempotencyKey('deleteCreditor', data, (key) =>
          call('deleteCreditor', { body: { data }, key, signal }),
        );
      },
    }),
  ),
} satisfies JourneyCode;
