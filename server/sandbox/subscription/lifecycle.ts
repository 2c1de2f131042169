import { parse } from '#contract/json.ts';
import type { Clock } from '#server/clock.ts';
import { pathOf } from '#contract/serviceCalls.ts';
import type { Behaviour, Catalogue } from '../catalogue/types.ts';
import type { SandboxConfig } from '../config.ts';
import { Problem } from '../http/problem.ts';
import { firstDecisionDelay, secondDecisionDelay } from '../faults/faults.ts';
import type { Faults } from '../faults/faults.ts';
import type { ActiveFault, InjectedFault } from '../records/call.ts';
import { textsIn } from '../faults/magicValues.ts';
import type { Jobs } from '../store/jobs.ts';
import type { Collections } from '../store/tenantStore.ts';
import type { Webhooks } from '../webhooks/sender.ts';
import { subscriptionRecords, type SubscriptionRecord } from './records.ts';

/** The status that a received subscription gets, by the provider's behaviour (wire, sections 10 and 22). */
const statusAfterReceipt: Record<Behaviour, string> = {
  asks: 'AwaitingAuthorisation',
  rejects: 'Rejected',
  pends: 'Pending',
  authorises: 'Authorised',
};

/** The status that a user's decision gives. */
export const decisions = { approve: 'Authorised', reject: 'Rejected', cancel: 'Cancelled' } as const;

interface Deps {
  config: Pick<SandboxConfig, 'publicUrl' | 'stepDelay' | 'authoriseLinkLife'>;
  catalogue: Pick<Catalogue, 'behaviourOf'>;
  clock: Pick<Clock, 'now'>;
  store: Collections;
  jobs: Pick<Jobs, 'define'>;
  faults: Pick<Faults, 'take'>;
  webhooks: Pick<Webhooks, 'send'>;
}

/** Takes subscriptions from creation to an end state. */
export function createSubscriptionLifecycle({ config, catalogue, clock, store, jobs, faults, webhooks }: Deps) {
  const subscriptions = subscriptionRecords(store);
  const { find } = subscriptions;
  const save = (subscription: SubscriptionRecord): Promise<void> =>
    subscriptions.save(subscription.subscriptionId, subscription);

  async function notify(
    { subscriptionId, status, suspendedByConsumer }: SubscriptionRecord,
    injected?: InjectedFault,
  ): Promise<void> {
    const url = `${config.publicUrl}${pathOf('subscription', subscriptionId)}`;
    const resource = { id: subscriptionId, type: 'Subscription', url };
    const data = { status, suspendedByConsumer };
    await webhooks.send({ type: 'subscriptionUpdated', subscriptionId, resource, data }, { injected });
  }

  /** Stores a changed subscription and notifies the consumer, within the transaction in which it was read. */
  const change = async (subscription: SubscriptionRecord, injected?: InjectedFault): Promise<void> => {
    await save(subscription);
    await notify(subscription, injected);
  };
  const newLink = (ttl = config.authoriseLinkLife) => ({
    issuedAt: clock.now(),
    expiresAt: clock.now() + ttl,
  });
  const isAwaiting = (subscription: SubscriptionRecord) => subscription.status === 'AwaitingAuthorisation';

  /** The provider processes a received subscription. */
  const processing = jobs.define<{ subscriptionId: string }>('subscription', async ({ subscriptionId }) => {
    const subscription = await find(subscriptionId);
    if (subscription?.status !== 'Received') return undefined;
    const status = statusAfterReceipt[catalogue.behaviourOf(subscription.providerId)];
    const awaits = status === 'AwaitingAuthorisation';
    await change({ ...subscription, status, ...(awaits && { link: newLink() }) });
    if (!awaits) return undefined;
    const active = await faults.take('authorisation', 'subscription', textsIn(parse(subscription.additionalData)));
    if (active) await labDecision.add({ subscriptionId, ...active }, firstDecisionDelay(active.fault));
    return undefined;
  });

  /** The fault lab decides in place of the user. */
  const labDecision = jobs.define<ActiveFault<'authorisation'> & { subscriptionId: string }>(
    'subscriptionDecision',
    async ({ subscriptionId, fault, injected }, attempt) => {
      const subscription = await find(subscriptionId);
      if (!subscription) return undefined;
      const { kind } = fault;
      if (attempt === 1) {
        await change(
          { ...subscription, status: kind === 'approveThenRevoke' ? 'Cancelled' : subscription.status },
          injected,
        );
        return undefined;
      }
      if (!isAwaiting(subscription)) return undefined; // the user has decided before
      if (kind === 'expire') {
        await issueLink(subscription, 0);
        return undefined;
      }
      const isTwofold = kind === 'approveTwice' || kind === 'approveThenRevoke';
      await change({ ...subscription, status: isTwofold ? 'Authorised' : decisions[kind] }, injected);
      return isTwofold ? secondDecisionDelay(fault) : undefined;
    },
  );

  /** Stores the subscription with a new link, which expires after `ttl` ms, and resolves with it. */
  async function issueLink(subscription: SubscriptionRecord, ttl?: number): Promise<SubscriptionRecord> {
    const linked = { ...subscription, link: newLink(ttl) };
    await save(linked);
    return linked;
  }

  return {
    find,
    change,
    isAwaiting,
    async receive(subscription: SubscriptionRecord): Promise<void> {
      await save(subscription);
      await processing.add({ subscriptionId: subscription.subscriptionId }, config.stepDelay);
    },
    /** Returns a subscription of the company. Rejects with a 404 problem if the company has none with this id. */
    async ofCompany(companyId: string, subscriptionId: string): Promise<SubscriptionRecord> {
      const subscription = await find(subscriptionId);
      if (subscription?.companyId !== companyId)
        throw new Problem(404, `The company has no subscription ${subscriptionId}`);
      return subscription;
    },
    linkExpired: ({ link }: SubscriptionRecord): boolean => link === undefined || link.expiresAt <= clock.now(),
    issueLink,
  };
}

export type SubscriptionLifecycle = ReturnType<typeof createSubscriptionLifecycle>;
