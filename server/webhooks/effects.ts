import { z } from 'zod';
import { listedSchema } from '#contract/entities.ts';
import type { Webhook } from '#contract/entities.ts';
import { flatCreditor, flatDebtor } from '#rules/party.ts';
import type { Deps } from '#server/deps.ts';
import { isRefusal } from '#server/failure.ts';
import { answeredBy, answeredKind, conclude } from '#server/messages/answers.ts';
import { isQuery, messagesIn, type Message } from '#server/messages/message.ts';
import { inTurn } from '#server/messages/turn.ts';
import { outcomeOf, verdictOf } from '#server/messages/verdict.ts';
import { readTolerantly } from '#server/upstream/tolerant.ts';
import { refreshBatch, refreshSubscription } from '#server/refresh.ts';

/** Whether a webhook was `used`, by a message or a record that it is about, or is `news`, which nobody asked for. */
export type Use = 'used' | 'news';

const listed = z.object({
  debtors: z.array(listedSchema('debtorId')).default([]),
  creditors: z.array(listedSchema('creditorId')).default([]),
});

/** What a query is answered with; of the parties those that can be read. Throws ZodError if it is no object. */
function partiesIn({ log }: Deps, { id, data }: Webhook): z.output<typeof listed> {
  const reading = readTolerantly(listed, data ?? {});
  if ('fault' in reading) return listed.parse(data);
  if (reading.skipped.length > 0) log.warn({ webhookId: id, skipped: reading.skipped }, 'parties were left out');
  return reading.value;
}

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

  /** The webhook is a hint, the resource itself says more (upstream-api, section 6.3). */
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

/** An answer to messages: each is decided, or told what the provider says meanwhile. */
async function answer(deps: Deps, webhook: Webhook): Promise<Use> {
  const { store } = deps;
  const kind = answeredKind(webhook.type);
  const all = await messagesIn(store);
  const { messages, decided } = answeredBy(all, webhook);
  if (kind && isQuery({ kind })) {
    const verdict = verdictOf(outcomeOf(webhook.data));
    const isListed = verdict.state !== 'refused';
    if (isListed) {
      await takeOver(deps, webhook, all, messages);
      // Before the queries: ended in between, the webhook comes again and finds them waiting.
      if (messages.length > 0) await store.webhooks.put(webhook.id, { ...webhook, unread: true });
    }
    for (const message of messages)
      await store.messages.put(message.messageId, {
        ...message,
        ...verdict,
        forwarded: true,
        ...(isListed && { state: 'accepted', webhookId: webhook.id }),
      });
  } else for (const message of messages) await conclude(store, message, webhook);
  return messages.length > 0 || decided ? 'used' : 'news';
}

/**
 * The provider's list brings our own copy up to date; what it lacks may have been put since, so nothing is removed. It
 * says nothing of parties about which messages were sent after the query that it answers.
 */
async function takeOver(
  deps: Deps,
  webhook: Webhook,
  all: readonly Message[],
  queries: readonly Message[],
): Promise<void> {
  const { store } = deps;
  const { debtors, creditors } = partiesIn(deps, webhook);
  const asked = all.findIndex(({ messageId }) => messageId === queries[0]?.messageId);
  const since = new Set(asked < 0 ? [] : all.slice(asked + 1).map(({ resourceId }) => resourceId));
  for (const debtor of debtors.map(flatDebtor))
    if (!since.has(debtor.debtorId)) await store.debtors.put(debtor.debtorId, debtor);
  for (const creditor of creditors.map(flatCreditor))
    if (!since.has(creditor.creditorId)) await store.creditors.put(creditor.creditorId, creditor);
}
