import type { Message } from '#contract/message.ts';
import type { JourneyInput } from '#machines/lib/gate.ts';
import { creditorMachine, debtorMachine, type PartyMaterial } from '#machines/party/party.machine.ts';
import { creditorQueryMachine, debtorQueryMachine } from '#machines/party/query.machine.ts';
import type { QueryMaterial } from '#machines/party/query.ts';
import { provideEffects } from '#machines/lib/effect.ts';
import { call } from '../client/client.ts';
import type { JourneyCode } from '#machines/console.ts';
import { approval, message, pendingOf } from './messages.ts';
import { providerTerms } from './definitions.ts';

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

export const debtor = {
  machine: provideEffects(debtorMachine, { loadRules: loadRulesOf('debtoraccountputs'), message, approval }),
} satisfies JourneyCode;

export const creditor = {
  machine: provideEffects(creditorMachine, { loadRules: loadRulesOf('creditorputs'), message, approval }),
} satisfies JourneyCode;

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
}

/** The effects of a query for debtors or creditors. */
const queryPorts = <Party>({ kinds, queries, known }: PartyCalls<Party>) => ({
  message,
  clearAnswer,
  async loadQuery({ facts }: JourneyInput, signal: AbortSignal): Promise<QueryMaterial<Party>> {
    const { subscriptionId } = facts.settings;
    const [{ data }, pending, asked] = await Promise.all([
      known({ signal }),
      pendingOf(kinds, subscriptionId, signal),
      askedOf(queries, subscriptionId, signal),
    ]);
    return { known: data, pending, asked };
  },
});

export const debtorQuery = {
  machine: provideEffects(
    debtorQueryMachine,
    queryPorts({
      kinds: 'debtoraccountputs,debtoraccountdeletes',
      queries: 'debtoraccountlistqueries',
      known: (request) => call('getDebtors', request),
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
    }),
  ),
} satisfies JourneyCode;
