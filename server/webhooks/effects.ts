import { z } from 'zod';
import { jsonSchema } from '#contract/entities.ts';
import type { Webhook } from '#contract/entities.ts';
import { flatCreditor, flatDebtor } from '#rules/party.ts';
import type { Deps } from '#server/deps.ts';
import { isRefusal } from '#server/failure.ts';
import { answeredBy, answeredKind, conclude } from '#server/messages/answers.ts';
import { isQuery, messagesIn, type Message } from '#server/messages/message.ts';
import { inTurn } from '#server/messages/outbox.ts';
import { outcome, verdictOf } from '#server/messages/verdict.ts';
import { refreshBatch, refreshSubscription } from '#server/refresh.ts';

/** Whether a webhook was `used`, by a message or a record that it is about, or is `news`, which nobody asked for. */
export type Use = 'used' | 'news';

const party = (id: 'debtorId' | 'creditorId') =>
  z.record(z.string(), jsonSchema).refine((body) => typeof body[id] === 'string', `a ${id} is missing`);
const listed = z.object({
  debtors: z.array(party('debtorId')).default([]),
  creditors: z.array(party('creditorId')).default([]),
});

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

  switch (webhook.type) {
    case 'subscriptionUpdated':
      return refresh(refreshSubscription(deps, resourceId), store.subscriptions.get(resourceId));
    case 'batchUpdated':
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
    const verdict = verdictOf(outcome.parse(webhook.data ?? {}));
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
  { store }: Deps,
  webhook: Webhook,
  all: readonly Message[],
  queries: readonly Message[],
): Promise<void> {
  const { debtors, creditors } = listed.parse(webhook.data ?? {});
  const asked = all.findIndex(({ messageId }) => messageId === queries[0]?.messageId);
  const since = new Set(asked < 0 ? [] : all.slice(asked + 1).map(({ resourceId }) => resourceId));
  for (const debtor of debtors.map(flatDebtor))
    if (!since.has(debtor.debtorId)) await store.debtors.put(debtor.debtorId, debtor);
  for (const creditor of creditors.map(flatCreditor))
    if (!since.has(creditor.creditorId)) await store.creditors.put(creditor.creditorId, creditor);
}
