import { z } from 'zod';
import type { Webhook } from '#contract/entities.ts';
import { flatCreditor, flatDebtor } from '#rules/party.ts';
import type { JsonObject } from '#rules/payload.ts';
import type { Deps } from '#server/deps.ts';
import { isRefusal } from '#server/failure.ts';
import { answeredBy, answeredKind, conclude } from '#server/messages/answers.ts';
import { isQuery, messagesIn, type Message } from '#server/messages/message.ts';
import { inTurn } from '#server/messages/turn.ts';
import type { MessageKind } from '#server/upstream/wire.ts';
import type { Store } from '#server/store/store.ts';
import { outcomeOf, verdictOf } from '#server/messages/verdict.ts';
import { refreshBatch, refreshSubscription } from '#server/refresh.ts';
import { listedIn } from './listed.ts';
import type { Listed } from './listed.ts';

/** Whether a webhook was `used`, by a message or a record that it is about, or is `news`, which nobody asked for. */
export type Use = 'used' | 'news';

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Types of the sibling services, which name no resource (wire, section 6.3): the resource's own type does. */
const hints = { subscription: /^subscription/i, batch: /^batch/i };

/** What a webhook hints at that something changed, if it is such a one. */
function hintedAt({ type, resource }: Webhook): keyof typeof hints | undefined {
  if (answeredKind(type)) return undefined;
  if (hints.subscription.test(type) || (resource && hints.subscription.test(resource.type))) return 'subscription';
  return hints.batch.test(type) || (resource && hints.batch.test(resource.type)) ? 'batch' : undefined;
}

/**
 * Does what a webhook is about. Rejects if the service could not be asked, so that the webhook comes again; contents
 * that make no sense would not make more the next time, they are logged.
 */
export async function act(deps: Deps, webhook: Webhook): Promise<Use> {
  try {
    return await effectOf(deps, webhook);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    deps.log.warn({ webhookId: webhook.id, type: webhook.type, reason: error.message }, 'a webhook makes no sense');
    return 'news';
  }
}

async function effectOf(deps: Deps, webhook: Webhook): Promise<Use> {
  const { store, log } = deps;
  const resourceId = webhook.resource?.id ?? '';

  /** The webhook is a hint, the resource itself says more (wire, section 6.3). */
  const refresh = async (refreshing: Promise<unknown>, kept: Promise<unknown>): Promise<Use> => {
    await refreshing.catch((error: unknown) => {
      if (!isRefusal(error)) throw error;
      log.warn({ webhookId: webhook.id, reason: error.message }, 'a webhook was about something that cannot be read');
    });
    // A hint about something of which nothing is kept here would otherwise leave no trace that anybody sees.
    return (await kept) === undefined ? 'news' : 'used';
  };

  switch (hintedAt(webhook)) {
    case 'subscription':
      return refresh(refreshSubscription(deps, resourceId), store.subscriptions.get(resourceId));
    case 'batch':
      return refresh(refreshBatch(deps, resourceId), store.batches.get(resourceId));
    default:
      return inTurn(() => answer(deps, webhook));
  }
}

/** Whether a webhook that was acted on already has something to do again: a hint, or the answer to a message that waits. */
export const isDue = async ({ store }: Deps, webhook: Webhook): Promise<boolean> =>
  hintedAt(webhook) !== undefined || answeredBy(await messagesIn(store), webhook).messages.length > 0;

/** An answer to messages: each is decided, or told what the provider says meanwhile. */
async function answer(deps: Deps, webhook: Webhook): Promise<Use> {
  const { store } = deps;
  const kind = answeredKind(webhook.type);
  const all = await messagesIn(store);
  const { messages, decided } = answeredBy(all, webhook);
  if (kind && isQuery({ kind })) await answerQueries(deps, webhook, kind, all, messages);
  else for (const message of messages) await conclude(store, message, webhook);
  return messages.length > 0 || decided ? 'used' : 'news';
}

/** The answer to each of these queries: a list, a refusal, or that it is still to come. */
async function answerQueries(
  { store, log }: Deps,
  webhook: Webhook,
  kind: MessageKind,
  all: readonly Message[],
  queries: readonly Message[],
): Promise<void> {
  const subscriptionId = webhook.subscriptionId ?? queries[0]?.subscriptionId ?? '';
  const listed = listedIn(webhook, kind, subscriptionId);
  const verdict = verdictOf(Array.isArray(webhook.data) ? {} : outcomeOf(webhook.data));
  const isAnswered = verdict.state === 'accepted' || (verdict.state === 'waiting' && listed !== undefined);
  if (isAnswered && listed) {
    const { name, parties, skipped } = listed;
    if (skipped.length > 0) log.warn({ webhookId: webhook.id, skipped }, 'parties were left out');
    await takeOver(store, listed, all, queries);
    const { data } = webhook;
    const told = { ...(isObject(data) && data), [name]: parties };
    // Before the queries: ended in between, the webhook comes again and finds them waiting.
    if (queries.length > 0) await store.webhooks.put(webhook.id, { ...webhook, data: told, unread: true });
  } else if (isAnswered && queries.length > 0) await store.webhooks.put(webhook.id, { ...webhook, unread: true });
  for (const query of queries)
    await store.messages.put(query.messageId, {
      ...query,
      ...verdict,
      forwarded: true,
      ...(isAnswered && { state: 'accepted', webhookId: webhook.id, skipped: listed?.skipped ?? [] }),
    });
}

/**
 * The provider's list brings our own copy up to date; what it lacks may have been put since, so nothing is removed. It
 * says nothing of parties about which messages were sent after the query that it answers.
 */
async function takeOver(
  store: Store,
  { name, parties }: Listed,
  all: readonly Message[],
  queries: readonly Message[],
): Promise<void> {
  const asked = all.findIndex(({ messageId }) => messageId === queries[0]?.messageId);
  const since = new Set(asked < 0 ? [] : all.slice(asked + 1).map(({ resourceId }) => resourceId));
  const current = <Party>(all: readonly Party[], idOf: (party: Party) => string) =>
    all.map((party) => [idOf(party), party] as [string, Party]).filter(([id]) => !since.has(id));
  if (name === 'debtors') await store.debtors.putAll(current(parties.map(flatDebtor), ({ debtorId }) => debtorId));
  else await store.creditors.putAll(current(parties.map(flatCreditor), ({ creditorId }) => creditorId));
}
