import type { Subscription } from '#contract/subscription.ts';
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
