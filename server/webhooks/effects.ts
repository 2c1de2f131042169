import { z } from 'zod';
import { jsonSchema } from '#contract/entities.ts';
import type { Webhook } from '#contract/entities.ts';
import { flatCreditor, flatDebtor } from '#rules/party.ts';
import type { Deps } from '#server/deps.ts';
import { isRefusal } from '#server/failure.ts';
import { refreshBatch, refreshSubscription } from '#server/refresh.ts';
import type { Message } from '#server/store/store.ts';

/** What the provider made of a put, delete or update (choice: see wire.ts, webhook). */
const outcome = z.looseObject({
  debtorId: z.string().optional(),
  creditorId: z.string().optional(),
  status: z.string().optional(),
  errors: z.array(z.looseObject({ path: z.string(), message: z.string() })).optional(),
});
const party = (id: 'debtorId' | 'creditorId') =>
  z.record(z.string(), jsonSchema).refine((body) => typeof body[id] === 'string', `a ${id} is missing`);
const listed = z.object({
  debtors: z.array(party('debtorId')).default([]),
  creditors: z.array(party('creditorId')).default([]),
});

/** Whether a page waits for the webhook's contents; hints that something changed are acted upon here. */
export const isMessagingAnswer = ({ type }: Webhook): boolean =>
  !['subscriptionUpdated', 'batchUpdated'].includes(type);

/**
 * Does what a webhook is about. Rejects if the service could not be asked, so that the webhook comes again; contents
 * that make no sense would not make more the next time, they are logged.
 */
export async function act(deps: Deps, webhook: Webhook): Promise<void> {
  try {
    await effectOf(deps, webhook);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    deps.log.warn({ webhookId: webhook.id, type: webhook.type, reason: error.message }, 'a webhook makes no sense');
  }
}

async function effectOf(deps: Deps, webhook: Webhook): Promise<void> {
  const { store, log } = deps;

  /** The webhook is a hint, the resource itself says more (upstream-api, section 6.3). */
  const refresh = async (refreshing: Promise<unknown>) => {
    await refreshing.catch((error: unknown) => {
      if (!isRefusal(error)) throw error;
      log.warn({ webhookId: webhook.id, reason: error.message }, 'a webhook was about something that cannot be read');
    });
  };

  async function perform({ kind, data, resourceId }: Message): Promise<void> {
    if (kind === 'debtoraccountputs') await store.debtors.put(resourceId, flatDebtor(data));
    if (kind === 'creditorputs') await store.creditors.put(resourceId, flatCreditor(data));
    if (kind === 'debtoraccountdeletes') await store.debtors.remove(resourceId);
    if (kind === 'creditordeletes') await store.creditors.remove(resourceId);
  }

  async function conclude(): Promise<void> {
    const { debtorId, creditorId, status, errors = [] } = outcome.parse(webhook.data ?? {});
    const resourceId = debtorId ?? creditorId ?? webhook.resource?.id;
    const message = resourceId === undefined ? undefined : await store.messages.get(resourceId);
    if (message?.state !== 'waiting' || message.kind !== webhook.type) return;
    if (status === 'Rejected') {
      const detail = errors.map(({ path, message: text }) => `${path}: ${text}`).join('; ');
      await store.messages.put(message.resourceId, {
        ...message,
        state: 'refused',
        detail: detail || 'The provider gave no reason.',
      });
      return;
    }
    await perform(message);
    await store.messages.put(message.resourceId, { ...message, state: 'accepted' });
  }

  /** The provider's list brings our own copy up to date; what it lacks may have been put since, so nothing is removed. */
  async function takeOver(): Promise<void> {
    const { debtors, creditors } = listed.parse(webhook.data ?? {});
    for (const debtor of debtors.map(flatDebtor)) await store.debtors.put(debtor.debtorId, debtor);
    for (const creditor of creditors.map(flatCreditor)) await store.creditors.put(creditor.creditorId, creditor);
  }

  const resourceId = webhook.resource?.id ?? '';
  switch (webhook.type) {
    case 'subscriptionUpdated':
      return refresh(refreshSubscription(deps, resourceId));
    case 'batchUpdated':
      return refresh(refreshBatch(deps, resourceId));
    case 'debtoraccountlistqueryresponses':
    case 'creditorlistqueryresponses':
      return takeOver();
    default:
      return conclude();
  }
}
