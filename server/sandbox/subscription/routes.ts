import Router from '@koa/router';
import type { Provider } from '#contract/lookup.ts';
import { stringify } from '#contract/json.ts';
import { shapes } from '#contract/shapes.ts';
import { endpoints, header, wire } from '#server/upstream/wire.ts';
import { providerFor } from '../catalogue/language.ts';
import type { Catalogue } from '../catalogue/types.ts';
import type { SandboxConfig } from '../config.ts';
import { jsonText } from '../http/body.ts';
import { parse, Problem } from '../http/problem.ts';
import { catalogueForCompany } from '../lab/definitionFaults.ts';
import { faultHeaders } from '../records/call.ts';
import type { Callers } from '../onboarding/callers.ts';
import type { Idempotency } from '../store/idempotency.ts';
import type { TenantStore } from '../store/tenantStore.ts';
import { authorisePath } from './authorisePage.ts';
import type { SubscriptionLifecycle } from './lifecycle.ts';
import { subscriptionErrors, type SubscriptionRecord } from './records.ts';

/** additionalData is a text that contains JSON (wire, section 5.1). */
const createBody = wire.subscriptionRequest.extend({
  data: wire.subscriptionRequest.shape.data.extend({ additionalData: jsonText }),
});

interface Deps {
  config: Pick<SandboxConfig, 'publicUrl'>;
  catalogue: Catalogue;
  callers: Pick<Callers, 'client' | 'company'>;
  idempotency: Idempotency;
  newId: () => string;
  store: Pick<TenantStore, 'transaction'>;
  lifecycle: SubscriptionLifecycle;
}

/** Routes for creating, reading and suspending subscriptions (wire, sections 5.1 and 5.2). */
export function subscriptionRoutes({ config, catalogue, callers, idempotency, newId, store, lifecycle }: Deps): Router {
  const router = new Router();

  function answer(subscription: SubscriptionRecord) {
    const { link, ...data } = subscription;
    if (!link || !lifecycle.isAwaiting(subscription)) return { data };
    const links = {
      authorise: config.publicUrl + authorisePath(data.subscriptionId),
      authoriseIssuedAt: new Date(link.issuedAt).toISOString(),
      authoriseExpiresAt: new Date(link.expiresAt).toISOString(),
    };
    return { data, links };
  }

  /**
   * Returns the provider to subscribe to. Throws a 422 problem if there is none or it does not support subscriptions.
   */
  function requireProvider(providerId: string, own: Catalogue, language: string): Provider {
    const provider = providerFor(own, providerId, language);
    if (provider?.accountType.capabilities?.includes('SubscriptionRequired')) return provider;
    const path = 'data.providerId';
    const message = provider ? 'the provider does not support subscriptions' : 'unknown provider';
    throw new Problem(422, `${path}: ${message}`, [{ path, message }]);
  }

  // This is the path that createSubscriptionPath returns.
  router.post(`${endpoints.subscriptions}/organisations/:organisationId/subscriptions`, async (ctx) => {
    callers.client(ctx);
    const { companyId, organisationId, name } = await callers.company(ctx);
    if (ctx.params['organisationId'] !== organisationId)
      throw new Problem(404, 'The company of this token belongs to another organisation');
    const { providerId, additionalData } = parse(ctx, createBody, ctx.request.body).data;
    const { catalogue: own, injected } = catalogueForCompany(catalogue, name);
    if (injected) ctx.set(faultHeaders(injected));
    await idempotency(ctx, companyId, async () => {
      const errors = subscriptionErrors(
        own,
        requireProvider(providerId, own, ctx.get(header.language)),
        additionalData,
      );
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
      await lifecycle.receive(subscription);
      return { status: 201, body: answer(subscription) };
    });
  });

  const path = `${endpoints.subscriptions}/:subscriptionId`;

  /** Reading a subscription renews an expired link (wire, section 5.4). */
  router.get(path, async (ctx) => {
    callers.client(ctx);
    const { companyId } = await callers.company(ctx);
    const { subscriptionId = '' } = ctx.params;
    const renews = (subscription: SubscriptionRecord) =>
      lifecycle.isAwaiting(subscription) && lifecycle.linkExpired(subscription);
    const found = await lifecycle.ofCompany(companyId, subscriptionId);
    if (!renews(found)) return void (ctx.body = answer(found));
    const renewed = await store.transaction(async () => {
      const subscription = await lifecycle.ofCompany(companyId, subscriptionId);
      return renews(subscription) ? lifecycle.issueLink(subscription) : subscription;
    });
    ctx.body = answer(renewed);
  });

  router.patch(path, async (ctx) => {
    callers.client(ctx);
    const { companyId } = await callers.company(ctx);
    const changed = await store.transaction(async () => {
      const subscription = await lifecycle.ofCompany(companyId, ctx.params['subscriptionId'] ?? '');
      const { suspendedByConsumer } = parse(ctx, shapes.patchSubscription.body, ctx.request.body).data;
      if (subscription.status !== 'Authorised')
        throw new Problem(422, `The subscription is ${subscription.status}; only an Authorised one can be suspended`);
      const wanted = { ...subscription, suspendedByConsumer };
      await lifecycle.change(wanted);
      return wanted;
    });
    ctx.body = answer(changed);
  });

  return router;
}
