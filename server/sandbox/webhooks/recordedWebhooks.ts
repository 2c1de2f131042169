import { isObject } from '#contract/json.ts';
import type { RecordedDelivery, RecordedWebhook } from '../recorded.ts';

/** Returns the type of the event in a webhook's body, of the first one in a list; '' if it has none. */
function typeIn(body: string): string {
  const value: unknown = JSON.parse(body); // written by the sandbox
  const event: unknown = Array.isArray(value) ? value[0] : value;
  return isObject(event) && typeof event['type'] === 'string' ? event['type'] : '';
}

/** Keeps the latest `maximum` webhooks of one application, with all attempts to deliver them. */
export function createWebhookRecords(maximum: number) {
  let webhooks: RecordedWebhook[] = [];
  return {
    /** Adds an attempt. `fault`: the kind of the fault that affected the webhook. */
    add(webhookId: string, fault: string | undefined, delivery: RecordedDelivery): void {
      const known = webhooks.find((each) => each.webhookId === webhookId);
      const deliveries = [...(known?.deliveries ?? []), delivery];
      const webhook = known ?? { webhookId, type: typeIn(delivery.body), ...(fault !== undefined && { fault }) };
      const others = webhooks.filter((each) => each !== known);
      // In the order of the first attempts.
      webhooks = known
        ? webhooks.map((each) => (each === known ? { ...webhook, deliveries } : each))
        : [...others.slice(1 - maximum), { ...webhook, deliveries }];
    },
    /** Returns the webhooks, oldest first. */
    list: (): readonly RecordedWebhook[] => webhooks,
    /** Replaces all webhooks. */
    replace(next: readonly RecordedWebhook[]): void {
      webhooks = [...next];
    },
  };
}

export type WebhookRecords = ReturnType<typeof createWebhookRecords>;
