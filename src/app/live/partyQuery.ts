import type { Webhook } from '#contract/entities.ts';
import { parse } from '#contract/json.ts';
import type { QueryAnswer } from '#machines/partyQuery.chart.ts';
import { fulfil, port } from '#machines/port.ts';
import type { JsonObject } from '#rules/payload.ts';
import { call } from '../client.ts';
import { askOutcome } from './party.ts';
import { loadFactsOf } from './ports.ts';

interface Query {
  subscriptionId: string;
}

/** Unread webhooks of a type for the subscription, newest first. */
async function unread(type: string, { subscriptionId }: Query, signal: AbortSignal): Promise<Webhook[]> {
  const { webhookData } = await call('getSettings', { signal });
  const webhooks = parse(webhookData || '[]') as Webhook[]; // the server assembles the list by the contract's shape
  return webhooks
    .filter((webhook) => webhook.type === type && webhook.subscriptionId === subscriptionId)
    .sort((a, b) => Date.parse(b.receivedAt) - Date.parse(a.receivedAt));
}

async function clear(webhookIds: readonly string[], signal: AbortSignal): Promise<void> {
  await call('setSetting', { body: { key: 'webhookData', value: JSON.stringify(webhookIds) }, signal });
}

const clearAnswer = fulfil(port<{ webhookId: string }, void>('clearAnswer'), ({ webhookId }, signal) =>
  clear([webhookId], signal),
);

/** Clears what earlier queries left unread: it would be taken for the answer to the next one. */
async function clearLeftovers(type: string, query: Query, signal: AbortSignal): Promise<void> {
  const left = await unread(type, query, signal);
  if (left.length > 0)
    await clear(
      left.map(({ id }) => id),
      signal,
    );
}

/**
 * The newest answer of a type: its parties nested as they were put, from the list of this name. Null while there is
 * none.
 */
async function newestAnswer(
  type: string,
  list: 'debtors' | 'creditors',
  query: Query,
  signal: AbortSignal,
): Promise<{ webhookId: string; bodies: JsonObject[] } | null> {
  const [webhook] = await unread(type, query, signal);
  if (!webhook) return null;
  const data = webhook.data as Partial<Record<typeof list, unknown>> | null | undefined; // choice: as the sandbox answers
  const listed = data?.[list];
  const isParty = (body: unknown): body is JsonObject => typeof body === 'object' && body !== null;
  return { webhookId: webhook.id, bodies: Array.isArray(listed) ? listed.filter(isParty) : [] };
}

interface PartyCalls<Party> {
  journey: 'debtorQuery' | 'creditorQuery';
  /** How the answer to the query comes back, and the list in it (upstream-api, section 6.1). */
  answersAs: string;
  list: 'debtors' | 'creditors';
  flat: (body: JsonObject) => Party;
  query: (request: { body: { data: Query }; signal: AbortSignal }) => Promise<unknown>;
  remove: (party: Query & { id: string }, signal: AbortSignal) => Promise<unknown>;
}

/** The ports of a query for debtors or creditors. */
export const queryPorts = <Party>({ journey, answersAs, list, flat, query, remove }: PartyCalls<Party>) => ({
  loadFacts: loadFactsOf(journey),
  clearAnswer,
  askOutcome,
  sendQuery: fulfil(port<Query, void>('sendQuery'), async (data, signal) => {
    await clearLeftovers(answersAs, data, signal);
    await query({ body: { data }, signal });
  }),
  readAnswer: fulfil(port<Query, QueryAnswer<Party> | null>('readAnswer'), async (data, signal) => {
    const answer = await newestAnswer(answersAs, list, data, signal);
    return answer && { webhookId: answer.webhookId, parties: answer.bodies.map(flat) };
  }),
  deleteParty: fulfil(port<Query & { id: string }, void>('deleteParty'), async (party, signal) => {
    await remove(party, signal);
  }),
});
