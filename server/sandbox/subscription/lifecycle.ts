import { parse } from '#contract/json.ts';
import type { Clock } from '#server/clock.ts';
import { pathOf } from '#contract/serviceCalls.ts';
import type { Behaviour, Catalogue } from '../catalogue/types.ts';
import type { SandboxConfig } from '../config.ts';
import { Problem } from '../http/problem.ts';
import type { Faults } from '../faults/faults.ts';
import { createLabDecision } from '../faults/labDecision.ts';
import type { InjectedFault } from '../records/call.ts';
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
    if (active) await decideLater({ subscriptionId }, active);
    return undefined;
  });

  const decideLater = createLabDecision<{ subscriptionId: string }>(
    jobs,
    'subscriptionDecision',
    async ({ subscriptionId }, decision, { isSecond, injected }) => {
      const subscription = await find(subscriptionId);
      if (!subscription || !(isSecond || isAwaiting(subscription))) return false;
      if (decision === 'Expired') await issueLink(subscription, 0);
      else if (decision === 'Revoked') await change({ ...subscription, status: 'Cancelled' }, injected);
      else await change({ ...subscription, ...(!isSecond && { status: decision }) }, injected);
      return true;
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
