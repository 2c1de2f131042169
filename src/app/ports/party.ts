import { queryPatience } from '#contract/constants.ts';
import { refusalOf, type Sent } from '#machines/answer.ts';
import { type PartyMaterial, debtorMachine, creditorMachine } from '#machines/party/party.machine.ts';
import {
  type Look,
  type QueryMaterial,
  type QuerySent,
  debtorQueryMachine,
  creditorQueryMachine,
} from '#machines/party/query.machine.ts';
import { supply, type Run } from '#machines/port.ts';
import { flatDebtor, flatCreditor } from '#rules/party.ts';
import type { JsonObject } from '#contract/json.ts';
import { call } from '../client.ts';
import { once } from '../once.ts';
import type { LiveJourney } from '../pages.ts';
import { factsFor } from './facts.ts';
import { askOutcome, pendingOf, sendAgain, sent } from './messages.ts';
import { providerTerms } from './providerTerms.ts';

const puts = { debtor: 'debtoraccountputs', creditor: 'creditorputs' } as const;

/** The port `loadRules` of debtors and creditors. */
const loadRulesOf =
  (journey: 'debtor' | 'creditor'): Run<void, PartyMaterial> =>
  async (_, signal) => {
    const facts = await factsFor(journey, signal);
    const [{ rules }, pending] = await Promise.all([
      providerTerms(facts, signal),
      pendingOf(puts[journey], facts.settings.subscriptionId, signal),
    ]);
    return { facts, rules, pending };
  };

/** The idempotency key is the debtorId as well, so that a repeated try names the same debtor. */
export const debtor = {
  machine: supply(debtorMachine, {
    loadRules: loadRulesOf('debtor'),
    askOutcome,
    sendAgain,
    putParty: ({ subscriptionId, body, again }, signal) => {
      const whilePending = again ? 'send' : 'refuse';
      return sent(
        once('putDebtor', { subscriptionId, body, whilePending }, (key) =>
          call('putDebtor', {
            body: { data: { ...body, debtorId: key, subscriptionId }, whilePending },
            key,
            signal,
          }),
        ),
      );
    },
  }),
} satisfies LiveJourney;

/** The idempotency key is the creditorId as well, so that a repeated try names the same creditor. */
export const creditor = {
  machine: supply(creditorMachine, {
    loadRules: loadRulesOf('creditor'),
    askOutcome,
    sendAgain,
    putParty: ({ subscriptionId, body, again }, signal) => {
      const whilePending = again ? 'send' : 'refuse';
      return sent(
        once('putCreditor', { subscriptionId, body, whilePending }, (key) =>
          call('putCreditor', {
            body: { data: { ...body, creditorId: key, subscriptionId }, whilePending },
            key,
            signal,
          }),
        ),
      );
    },
  }),
} satisfies LiveJourney;

interface Query {
  subscriptionId: string;
}

async function clearAnswer({ webhookId }: { webhookId: string }, signal: AbortSignal): Promise<void> {
  await call('setSetting', { body: { key: 'webhookData', value: JSON.stringify([webhookId]) }, signal });
}

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
const queryPorts = <Party>({ journey, kinds, list, flat, query, remove }: PartyCalls<Party>) => ({
  clearAnswer,
  askOutcome,
  sendAgain,
  async loadQuery(_: void, signal: AbortSignal): Promise<QueryMaterial> {
    const facts = await factsFor(journey, signal);
    return { facts, pending: await pendingOf(kinds, facts.settings.subscriptionId, signal) };
  },
  async sendQuery({ subscriptionId, lostQuery }: QuerySent, signal: AbortSignal): Promise<{ messageId: string }> {
    const { messageId } =
      lostQuery === ''
        ? await query({ body: { data: { subscriptionId } }, signal })
        : await sendAgain({ messageId: lostQuery }, signal);
    sentAt.set(messageId, performance.now());
    return { messageId };
  },
  async readAnswer({ messageId }: { messageId: string }, signal: AbortSignal): Promise<Look<Party>> {
    const answer = await answerOf(list, messageId, signal);
    return {
      answer: answer && { webhookId: answer.webhookId, parties: answer.bodies.map(flat) },
      overdue: performance.now() - (sentAt.get(messageId) ?? 0) > queryPatience,
    };
  },
  deleteParty: (party: Query & { id: string }, signal: AbortSignal): Promise<Sent> => sent(remove(party, signal)),
});

export const debtorQuery = {
  machine: supply(
    debtorQueryMachine,
    queryPorts({
      journey: 'debtorQuery',
      kinds: 'debtoraccountputs,debtoraccountdeletes',
      list: 'debtors',
      flat: flatDebtor,
      query: (request) => call('queryDebtors', request),
      remove({ subscriptionId, id }, signal) {
        const data = { subscriptionId, debtorId: id };
        return once('deleteDebtor', data, (key) => call('deleteDebtor', { body: { data }, key, signal }));
      },
    }),
  ),
} satisfies LiveJourney;

export const creditorQuery = {
  machine: supply(
    creditorQueryMachine,
    queryPorts({
      journey: 'creditorQuery',
      kinds: 'creditorputs,creditordeletes',
      list: 'creditors',
      flat: flatCreditor,
      query: (request) => call('queryCreditors', request),
      remove({ subscriptionId, id }, signal) {
        const data = { subscriptionId, creditorId: id };
        return once('deleteCreditor', data, (key) => call('deleteCreditor', { body: { data }, key, signal }));
      },
    }),
  ),
} satisfies LiveJourney;
