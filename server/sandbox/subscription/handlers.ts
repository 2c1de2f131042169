import type { Provider } from '#contract/lookup.ts';
import { stringify } from '#contract/json.ts';
import { header } from '#server/upstream/wire.ts';
import { providerFor } from '../catalogue/language.ts';
import type { Catalogue } from '../catalogue/types.ts';
import type { SandboxConfig } from '../config.ts';
import { Problem } from '../http/problem.ts';
import type { Handlers } from '../http/serviceRoutes.ts';
import { catalogueForCompany } from '../faults/definitionFaults.ts';
import { faultHeaders } from '../records/call.ts';
import type { TenantStore } from '../store/tenantStore.ts';
import { authorisePath } from './authorisePage.ts';
import type { SubscriptionLifecycle } from './lifecycle.ts';
import { subscriptionErrors, type SubscriptionRecord } from './records.ts';

interface Services {
  config: Pick<SandboxConfig, 'publicUrl'>;
  catalogue: Catalogue;
  newId: () => string;
  store: Pick<TenantStore, 'transaction'>;
  subscriptions: SubscriptionLifecycle;
}

/** Creating, reading and suspending subscriptions (wire, sections 5.1 and 5.2). */
export function subscriptionHandlers({ config, catalogue, newId, store, subscriptions }: Services) {
  function answer(subscription: SubscriptionRecord) {
    const { link, ...data } = subscription;
    if (!link || !subscriptions.isAwaiting(subscription)) return { data };
    const links = {
      authorise: config.publicUrl + authorisePath(data.subscriptionId),
      authoriseIssuedAt: new Date(link.issuedAt).toISOString(),
      authoriseExpiresAt: new Date(link.expiresAt).toISOString(),
    };
    return { data, links };
  }

  /** Returns the provider to subscribe to. Throws a 422 problem if there is none or it does not support subscriptions. */
  function requireProvider(providerId: string, own: Catalogue, language: string): Provider {
    const provider = providerFor(own, providerId, language);
    if (provider?.accountType.capabilities?.includes('SubscriptionRequired')) return provider;
    const path = 'data.providerId';
    const message = provider ? 'the provider does not support subscriptions' : 'unknown provider';
    throw new Problem(422, `${path}: ${message}`, [{ path, message }]);
  }

  return {
    async createSubscription({ ctx, body, caller: { companyId, organisationId, name }, id }) {
      if (id('organisationId') !== organisationId)
        throw new Problem(404, 'The company of this token belongs to another organisation');
      const { providerId, additionalData } = body.data;
      const { catalogue: own, injected } = catalogueForCompany(catalogue, name);
      if (injected) ctx.set(faultHeaders(injected));
      const provider = requireProvider(providerId, own, ctx.get(header.language));
      const errors = subscriptionErrors(own, provider, additionalData);
      if (errors.length > 0) throw new Problem(422, 'additionalData breaks rules of the provider', errors);
      const subscription: SubscriptionRecord = {
        subscriptionId: newId(),
        organisationId,
        companyId,
        providerId,
        status: 'Received',
        suspendedByConsumer: false,
        additionalData: stringify(additionalData),
      };
      await subscriptions.receive(subscription);
      return answer(subscription);
    },

    /** Renews an expired link (wire, section 5.4). */
    async subscription({ caller: { companyId }, id }) {
      const renews = (subscription: SubscriptionRecord) =>
        subscriptions.isAwaiting(subscription) && subscriptions.linkExpired(subscription);
      const found = await subscriptions.ofCompany(companyId, id('subscriptionId'));
      if (!renews(found)) return answer(found);
      const renewed = await store.transaction(async () => {
        const subscription = await subscriptions.ofCompany(companyId, id('subscriptionId'));
        return renews(subscription) ? subscriptions.issueLink(subscription) : subscription;
      });
      return answer(renewed);
    },

    async patchSubscription({
      body: {
        data: { suspendedByConsumer },
      },
      caller: { companyId },
      id,
    }) {
      const changed = await store.transaction(async () => {
        const subscription = await subscriptions.ofCompany(companyId, id('subscriptionId'));
        if (subscription.status !== 'Authorised')
          throw new Problem(422, `The subscription is ${subscription.status}; only an Authorised one can be suspended`);
        const wanted = { ...subscription, suspendedByConsumer };
        await subscriptions.change(wanted);
        return wanted;
      });
      return answer(changed);
    },
  } satisfies Partial<Handlers>;
}
