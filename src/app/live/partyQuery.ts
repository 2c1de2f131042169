import { queryPatience } from '#contract/constants.ts';
import { refusalOf, type Sent } from '#machines/answer.ts';
import type { Look, QueryMaterial } from '#machines/partyQuery.chart.ts';
import { fulfil, port } from '#machines/port.ts';
import type { JsonObject } from '#rules/payload.ts';
import { call } from '../client.ts';
import { askOutcome, pendingOf, sent } from './party.ts';
import { factsFor } from './ports.ts';

interface Query {
  subscriptionId: string;
}

const clearAnswer = fulfil(port<{ webhookId: string }, void>('clearAnswer'), async ({ webhookId }, signal) => {
  await call('setSetting', { body: { key: 'webhookData', value: JSON.stringify([webhookId]) }, signal });
});

/**
 * The answer to a query: its parties nested as they were put, from the list of this name. Null while there is none.
 * Rejects with the provider's refusal.
 */
async function answerOf(
  list: 'debtors' | 'creditors',
  resourceId: string,
  signal: AbortSignal,
): Promise<{ webhookId: string; bodies: JsonObject[] } | null> {
  const { data: message } = await call('getMessage', { params: { resourceId }, signal });
  if (message.state === 'refused') throw refusalOf(message); // eslint-disable-line @typescript-eslint/only-throw-error -- ports reject with problems (machines/port.ts)
  const { webhook } = message;
  if (!webhook) return null;
  const data = webhook.data as Partial<Record<typeof list, unknown>> | null | undefined; // choice: as the sandbox answers
  const listed = data?.[list];
  const isParty = (body: unknown): body is JsonObject => typeof body === 'object' && body !== null;
  return { webhookId: webhook.id, bodies: Array.isArray(listed) ? listed.filter(isParty) : [] };
}

/** When each query of this page was sent, by the page's own steady clock, in ms. */
const sentAt = new Map<string, number>();

interface PartyCalls<Party> {
  journey: 'debtorQuery' | 'creditorQuery';
  /** The puts and deletes of these parties, separated by a comma (wire, section 6.1). */
  kinds: string;
  /** The list in the answer to a query. */
  list: 'debtors' | 'creditors';
  flat: (body: JsonObject) => Party;
  query: (request: { body: { data: Query }; signal: AbortSignal }) => Promise<{ messageId: string }>;
  remove: (party: Query & { id: string }, signal: AbortSignal) => Promise<{ messageId: string }>;
}

/** The ports of a query for debtors or creditors. */
export const queryPorts = <Party>({ journey, kinds, list, flat, query, remove }: PartyCalls<Party>) => ({
  clearAnswer,
  askOutcome,
  loadQuery: fulfil(port<void, QueryMaterial>('loadQuery'), async (_, signal) => {
    const facts = await factsFor(journey, signal);
    return { facts, pending: await pendingOf(kinds, facts.settings.subscriptionId, signal) };
  }),
  sendQuery: fulfil(port<Query, { messageId: string }>('sendQuery'), async (data, signal) => {
    const { messageId } = await query({ body: { data }, signal });
    sentAt.set(messageId, performance.now());
    return { messageId };
  }),
  readAnswer: fulfil(port<{ messageId: string }, Look<Party>>('readAnswer'), async ({ messageId }, signal) => {
    const answer = await answerOf(list, messageId, signal);
    return {
      answer: answer && { webhookId: answer.webhookId, parties: answer.bodies.map(flat) },
      overdue: performance.now() - (sentAt.get(messageId) ?? 0) > queryPatience,
    };
  }),
  deleteParty: fulfil(port<Query & { id: string }, Sent>('deleteParty'), (party, signal) =>
    sent(remove(party, signal)),
  ),
});
