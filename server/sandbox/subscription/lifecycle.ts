import { parse } from '#contract/json.ts';
import type { Behaviour } from '../catalogue/types.ts';
import { firstAfter, secondAfter } from '../lab/decisions.ts';
import { markOf, type Mark } from '../lab/faults.ts';
import { namedFault, textsIn } from '../lab/magicValues.ts';
import { Problem } from '../http/problem.ts';
import type { Company, KeptSubscription } from '../records.ts';
import type { Services } from '../services.ts';

/** The status that a received subscription gets, by the provider's behaviour (wire, sections 10 and 22). */
const answers: Record<Behaviour, string> = {
  asks: 'AwaitingAuthorisation',
  rejects: 'Rejected',
  pends: 'Pending',
  authorises: 'Authorised',
};

/** The status that a user's decision gives. */
export const decisions = { approve: 'Authorised', reject: 'Rejected', cancel: 'Cancelled' } as const;

type Life = Pick<Services, 'config' | 'catalogue' | 'clock' | 'storage' | 'schedule' | 'webhooks' | 'faults'>;

/** Takes subscriptions from creation to an end state. */
export function createSubscriptionLife({ config, catalogue, clock, storage, schedule, webhooks, faults }: Life) {
  const find = (subscriptionId: string) => storage.find('subscription', subscriptionId);
  const save = (subscription: KeptSubscription): Promise<void> =>
    storage.save('subscription', subscription.subscriptionId, subscription);

  /** Stores a changed subscription and notifies the consumer, within the transaction in which it was read. */
  const change = async (subscription: KeptSubscription, mark?: Mark): Promise<void> => {
    await save(subscription);
    await webhooks.subscriptionUpdated(subscription, mark);
  };
  const freshLink = (life = config.authoriseLinkLife) => ({
    issuedAt: clock.steady(),
    expiresAt: clock.steady() + life,
  });
  const isAwaiting = (subscription: KeptSubscription) => subscription.status === 'AwaitingAuthorisation';

  schedule.on('subscription', async ({ subscriptionId }) => {
    const subscription = await find(subscriptionId);
    if (subscription?.status !== 'Received') return undefined;
    const status = answers[catalogue.behaviourOf(subscription.providerId)];
    const awaits = status === 'AwaitingAuthorisation';
    await change({ ...subscription, status, ...(awaits && { link: freshLink() }) });
    if (!awaits) return undefined;
    const rule = await faults.take('authorisation', 'subscription');
    const decided = rule
      ? { fault: rule.fault, mark: markOf(rule) }
      : namedFault('authorisation', textsIn(parse(subscription.additionalData)));
    if (decided) await schedule.add('subscriptionDecision', { subscriptionId, ...decided }, firstAfter(decided.fault));
    return undefined;
  });

  schedule.on('subscriptionDecision', async ({ subscriptionId, fault, mark }, attempt) => {
    const subscription = await find(subscriptionId);
    if (!subscription) return undefined;
    const { kind } = fault;
    if (attempt === 1) {
      await change({ ...subscription, status: kind === 'approveThenRevoke' ? 'Cancelled' : subscription.status }, mark);
      return undefined;
    }
    if (!isAwaiting(subscription)) return undefined; // the user has decided before
    if (kind === 'expire') {
      await issueLink(subscription, 0);
      return undefined;
    }
    const isTwofold = kind === 'approveTwice' || kind === 'approveThenRevoke';
    await change({ ...subscription, status: isTwofold ? 'Authorised' : decisions[kind] }, mark);
    return isTwofold ? secondAfter(fault) : undefined;
  });

  /** Stores the subscription with a new link, which expires after `life` ms, and resolves with it. */
  async function issueLink(subscription: KeptSubscription, life?: number): Promise<KeptSubscription> {
    const linked = { ...subscription, link: freshLink(life) };
    await save(linked);
    return linked;
  }

  return {
    find,
    change,
    isAwaiting,
    async receive(subscription: KeptSubscription): Promise<void> {
      await save(subscription);
      await schedule.add('subscription', { subscriptionId: subscription.subscriptionId }, config.stepDelay);
    },
    /** Returns a subscription of the company. Rejects with a 404 problem if the company has none with this id. */
    async own({ companyId }: Company, subscriptionId: string): Promise<KeptSubscription> {
      const subscription = await find(subscriptionId);
      if (subscription?.companyId !== companyId)
        throw new Problem(404, `The company has no subscription ${subscriptionId}`);
      return subscription;
    },
    linkExpired: ({ link }: KeptSubscription): boolean => link === undefined || link.expiresAt <= clock.steady(),
    issueLink,
  };
}

export type SubscriptionLife = ReturnType<typeof createSubscriptionLife>;

/** Throws a 409 problem unless the subscription can be used for payments and messages (behaviour, section 4). */
export function requireUsable({ subscriptionId, status, suspendedByConsumer }: KeptSubscription): void {
  const why = suspendedByConsumer ? 'suspended by the consumer' : status === 'Authorised' ? undefined : status;
  if (why !== undefined)
    throw new Problem(409, `Subscription ${subscriptionId} is ${why}; it must be Authorised and not suspended`);
}
