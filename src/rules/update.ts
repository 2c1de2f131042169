import type { JsonObject } from '#contract/json.ts';

/** The body of an update of a subscription's properties (behaviour, section 7). */
export const updateOf = (subscriptionId: string, properties: JsonObject) => ({
  resource: 'Subscription' as const,
  id: subscriptionId,
  subscriptionId,
  properties,
});
