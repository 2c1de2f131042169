import type { JsonObject } from '#contract/json.ts';

/** What an update of a subscription's properties says (behaviour, section 7). */
export const updateOf = (subscriptionId: string, properties: JsonObject) => ({
  resource: 'Subscription' as const,
  id: subscriptionId,
  subscriptionId,
  properties,
});
