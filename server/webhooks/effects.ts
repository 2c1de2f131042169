import { z } from 'zod';
import type { Webhook } from '#contract/message.ts';
import { isLate } from '#rules/late.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { Failure, isRefusal } from '#server/failure.ts';
import { answeredKind, findAnsweredIfValid } from '#server/messages/matchWebhook.ts';
import { applyAnswer } from '#server/messages/applyAnswer.ts';
import { refreshSubscription } from '#server/companies/refresh.ts';
import { readBatch } from '#server/payments/readBatch.ts';
import type { RecordKind } from '#server/storage/records.ts';
import { batchAnswers, batches, subscriptionAnswers, subscriptions } from '#server/companies/records.ts';
import type { ServiceAnswer } from '#server/companies/records.ts';

/** `used`: the webhook is about a known message or record; `late`: it is older than what is known of that; `news`: it is unsolicited. */
export type WebhookEffect = 'used' | 'late' | 'news';

/**
 * Patterns of event and resource types. The sibling services have events that name no resource (wire, section 6.3); for
 * other event types the resource's type decides.
 */
const hints = { subscription: /^subscription/i, batch: /^batch/i };

/** The kind of resource that a webhook reports as changed; undefined for other webhooks. */
function hintedAt({ type, resource }: Webhook): keyof typeof hints | undefined {
  if (answeredKind(type)) return undefined;
  if (hints.subscription.test(type) || (resource && hints.subscription.test(resource.type))) return 'subscription';
  return hints.batch.test(type) || (resource && hints.batch.test(resource.type)) ? 'batch' : undefined;
}

/** Returns the type under which a webhook is counted; unknown types share one, because senders can make up types. */
export const countedType = (webhook: Webhook): string =>
  answeredKind(webhook.type) ? webhook.type : (hintedAt(webhook) ?? 'other');

/**
 * Applies a webhook. Rejects if the service cannot be reached, so that the webhook is delivered again. Invalid contents
 * are only logged, because another delivery would not help.
 */
export async function applyWebhook(deps: CompanyContext, webhook: Webhook): Promise<WebhookEffect> {
  try {
    return await effectOf(deps, webhook);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    deps.log.warn({ webhookId: webhook.id, type: webhook.type, reason: error.message }, 'a webhook has invalid data');
    return 'news';
  }
}

async function effectOf(deps: CompanyContext, webhook: Webhook): Promise<WebhookEffect> {
  const { store, log } = deps;

  /**
   * Reads the resource from the service, because the webhook is only a hint (wire, section 6.3). Nothing else of one that is
   * late counts.
   */
  const refresh = async <Answer extends ServiceAnswer>(
    id: string | undefined,
    answers: RecordKind<Answer>,
    records: RecordKind<never>,
    read: (id: string, isNews: boolean) => Promise<unknown>,
  ): Promise<WebhookEffect> => {
    if (!id) return 'news';
    const isBehind = isLate(webhook, await store.records(answers).get(id));
    await read(id, !isBehind).catch((error: unknown) => {
      if (isRefusal(error))
        return log.warn({ webhookId: webhook.id, reason: error.message }, 'a webhook was about what cannot be read');
      // The status of the reading, such as 401, would be one about the webhook.
      throw error instanceof Failure && error.status < 500
        ? new Failure('upstream-failed', `The service cannot be asked about it: ${error.message}`)
        : error;
    });
    await store.announce(id);
    if (isBehind) return 'late';
    // Shows a hint about an unknown resource to the user; otherwise it would leave no trace.
    return (await store.records(records).get(id)) === undefined ? 'news' : 'used';
  };

  switch (hintedAt(webhook)) {
    case 'subscription':
      return refresh(webhook.resource?.id ?? webhook.subscriptionId, subscriptionAnswers, subscriptions, (id) =>
        refreshSubscription(deps, id),
      );
    case 'batch':
      return refresh(webhook.resource?.id, batchAnswers, batches, (id, isNews) =>
        readBatch(deps, id, 'webhook', isNews ? webhook : undefined),
      );
    default:
      return (await applyAnswer(deps, webhook)) ? 'used' : 'news';
  }
}

/**
 * Whether a webhook that has already been applied could have an effect again: a hint, or the answer to a waiting
 * message.
 */
export const isDue = async ({ store }: CompanyContext, webhook: Webhook): Promise<boolean> =>
  hintedAt(webhook) !== undefined || (await findAnsweredIfValid(store, webhook)).messages.length > 0;
