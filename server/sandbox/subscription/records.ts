import type { JsonObject } from '#contract/json.ts';
import type { Provider } from '#contract/lookup.ts';
import type { Subscription } from '#contract/subscription.ts';
import type { Catalogue } from '../catalogue/types.ts';
import { Problem } from '../http/problem.ts';
import type { Collections } from '../store/tenantStore.ts';

export interface SubscriptionRecord extends Subscription {
  organisationId: string;
  companyId: string;
  additionalData: string;
  suspendedByConsumer: boolean;
  /** Present while the subscription awaits authorisation: when the link was issued and when it expires (ms). */
  link?: { issuedAt: number; expiresAt: number };
}

/** The subscriptions, by id. */
export const subscriptionRecords = (store: Collections) => store.collection<SubscriptionRecord>('subscription');

/** The debtors or creditors, by {subscriptionId}/{their id}. */
export const partyRecords = (store: Collections, kind: 'debtor' | 'creditor') => store.collection<JsonObject>(kind);

/** Returns all faults of a subscription's data (wire, section 8); their paths are those of the rules. */
export const subscriptionErrors = (
  catalogue: Pick<Catalogue, 'rulesOf' | 'violations'>,
  provider: Provider,
  additionalData: Record<string, unknown>,
) => catalogue.violations(catalogue.rulesOf(provider, 'Subscriptions'), { additionalData });

/** Throws a 422 problem unless the subscription can be used for payments and messages (behaviour, section 4). */
export function requireUsable({ subscriptionId, status, suspendedByConsumer }: SubscriptionRecord): void {
  const why = suspendedByConsumer ? 'suspended by the consumer' : status === 'Authorised' ? undefined : status;
  if (why !== undefined)
    throw new Problem(422, `Subscription ${subscriptionId} is ${why}; it must be Authorised and not suspended`);
}
