import { isObject } from '#contract/json.ts';
import { weightOf, type Held, type RecordBudget } from '../http/recordBudget.ts';
import type { RecordedDelivery, RecordedWebhook } from '../recorded.ts';

/** Returns the type of the event in a webhook's body, of the first one in a list; '' if it has none. */
function typeIn(body: string): string {
  const value: unknown = JSON.parse(body); // written by the sandbox
  const event: unknown = Array.isArray(value) ? value[0] : value;
  return isObject(event) && typeof event['type'] === 'string' ? event['type'] : '';
}

/** Keeps the latest `maximum` webhooks of one application, with all attempts to deliver them, within a budget. */
export function createWebhookRecords({ maximum, budget }: { maximum: number; budget: RecordBudget }) {
  /** By id, in the order of the first attempts. */
  const kept = new Map<string, { webhook: RecordedWebhook; held: Held }>();

  function put(webhook: RecordedWebhook): void {
    const { webhookId } = webhook;
    const held = kept.get(webhookId)?.held ?? budget.hold(() => kept.delete(webhookId));
    kept.set(webhookId, { webhook, held });
    held.weigh(weightOf(webhook));
    for (const [oldest, { held: its }] of kept) {
      if (kept.size <= maximum) break;
      its.release();
      kept.delete(oldest);
    }
  }

  return {
    /** Adds an attempt. `fault`: the kind of the fault that affected the webhook. */
    add(webhookId: string, fault: string | undefined, delivery: RecordedDelivery): void {
      const known = kept.get(webhookId)?.webhook;
      const webhook = known ?? { webhookId, type: typeIn(delivery.body), ...(fault !== undefined && { fault }) };
      put({ ...webhook, deliveries: [...(known?.deliveries ?? []), delivery] });
    },
    /** Returns the webhooks, oldest first. */
    list: (): readonly RecordedWebhook[] => [...kept.values()].map(({ webhook }) => webhook),
    /** Replaces all webhooks. */
    replace(next: readonly RecordedWebhook[]): void {
      for (const { held } of kept.values()) held.release();
      kept.clear();
      next.forEach(put);
    },
  };
}

export type WebhookRecords = ReturnType<typeof createWebhookRecords>;
