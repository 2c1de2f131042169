import Router from '@koa/router';
import { z } from 'zod';
import type { Provider } from '#contract/lookup.ts';
import { isObject, stringify, type JsonObject } from '#contract/json.ts';
import { shapes } from '#contract/shapes.ts';
import { bounds, JsonError, readJson } from '#server/http/json.ts';
import { endpoints, wire } from '#server/upstream/wire.ts';
import { oddPlaceIn } from '#server/http/visible.ts';
import { authorisePath } from './authorisePage.ts';
import type { Catalogue } from '../catalogue/types.ts';
import { catalogueOf } from '../lab/definitionFaults.ts';
import { markHeader } from '../lab/faults.ts';
import { parse, Problem } from '../http/problem.ts';
import type { KeptSubscription } from '../records.ts';
import type { Services } from '../services.ts';
import type { SubscriptionLife } from './lifecycle.ts';

/** A text that contains a JSON object, within the limits of a body. */
export const jsonObject = z.string().transform((text, context): JsonObject => {
  try {
    const value = readJson(text, bounds.body);
    if (isObject(value) && oddPlaceIn(value) === undefined) return value;
    context.addIssue('a string that contains a JSON object');
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    context.addIssue(
      error.isNoJson ? 'a string that contains JSON' : `a string that contains JSON; it ${error.message}`,
    );
  }
  return z.NEVER;
});

/** additionalData is a text that contains JSON (wire, section 5.1). */
const createBody = wire.subscriptionRequest.extend({
  data: wire.subscriptionRequest.shape.data.extend({ additionalData: jsonObject }),
});

/** Returns all faults of a subscription's data (wire, section 8); their paths are those of the rules. */
export const subscriptionErrors = (catalogue: Catalogue, provider: Provider, additionalData: Record<string, unknown>) =>
  catalogue.violations(catalogue.rulesOf(provider, 'Subscriptions'), { additionalData });

/** Routes for creating, reading and suspending subscriptions (wire, sections 5.1 and 5.2). */
export function subscriptionRoutes(services: Services, life: SubscriptionLife): Router {
  const { config, catalogue, callers, idempotency, newId, transaction } = services;
  const router = new Router();

  function answer(subscription: KeptSubscription) {
    const { link, ...data } = subscription;
    if (!link || !life.isAwaiting(subscription)) return { data };
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
  function requireProvider(providerId: string, own: Catalogue): Provider {
    const provider = own.providerById(providerId);
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
    const { providerId, additionalData } = parse(createBody, ctx.request.body).data;
    const { catalogue: own, mark } = catalogueOf(catalogue, name);
    if (mark) ctx.set(markHeader(mark));
    await idempotency(ctx, companyId, async () => {
      const errors = subscriptionErrors(own, requireProvider(providerId, own), additionalData);
      if (errors.length > 0) throw new Problem(422, 'additionalData breaks rules of the provider', errors);
      const subscription: KeptSubscription = {
        subscriptionId: newId(),
        organisationId,
        companyId,
        providerId,
        status: 'Received',
        suspendedByConsumer: false,
        additionalData: stringify(additionalData),
      };
      await life.receive(subscription);
      return { status: 201, body: answer(subscription) };
    });
  });

  const path = `${endpoints.subscriptions}/:subscriptionId`;

  /** Reading a subscription renews an expired link (wire, section 5.4). */
  router.get(path, async (ctx) => {
    callers.client(ctx);
    const company = await callers.company(ctx);
    const { subscriptionId = '' } = ctx.params;
    const renews = (subscription: KeptSubscription) => life.isAwaiting(subscription) && life.linkExpired(subscription);
    const found = await life.own(company, subscriptionId);
    if (!renews(found)) return void (ctx.body = answer(found));
    const renewed = await transaction(async () => {
      const subscription = await life.own(company, subscriptionId);
      return renews(subscription) ? life.issueLink(subscription) : subscription;
    });
    ctx.body = answer(renewed);
  });

  router.patch(path, async (ctx) => {
    callers.client(ctx);
    const company = await callers.company(ctx);
    const changed = await transaction(async () => {
      const subscription = await life.own(company, ctx.params['subscriptionId'] ?? '');
      const { suspendedByConsumer } = parse(shapes.patchSubscription.body, ctx.request.body).data;
      if (subscription.status !== 'Authorised')
        throw new Problem(409, `The subscription is ${subscription.status}; only an Authorised one can be suspended`);
      const wanted = { ...subscription, suspendedByConsumer };
      await life.change(wanted);
      return wanted;
    });
    ctx.body = answer(changed);
  });

  return router;
}
