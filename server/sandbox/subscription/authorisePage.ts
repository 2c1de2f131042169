import Router from '@koa/router';
import { parse as parseJson } from '#contract/json.ts';
import { html, type Html } from '#server/http/html.ts';
import type { Catalogue } from '../catalogue/types.ts';
import type { SandboxCredentials } from '../credentials.ts';
import { companyNames } from '../onboarding/records.ts';
import { decisions } from '../faults/labDecision.ts';
import { Problem } from '../http/problem.ts';
import { decisionForm, decisionIn, sendPage } from '../pages/html.ts';
import type { Collections, TenantStore } from '../store/tenantStore.ts';
import type { SubscriptionLifecycle } from './lifecycle.ts';
import type { SubscriptionRecord } from './records.ts';

/**
 * The path of a subscription's authorise page below the provider's URL (behaviour, section 3: locally stored
 * subscription record).
 */
export const authorisePath = (subscriptionId: string): string => `/provider/subscription/authorise/${subscriptionId}`;

const outcomes: Record<string, string> = {
  Authorised: 'The subscription is authorised. Payments can be made through it.',
  Rejected: 'The subscription was rejected.',
  Cancelled: 'The subscription was cancelled.',
  Received: 'The provider is still preparing this subscription; this page checks again automatically.',
};

interface Deps {
  catalogue: Pick<Catalogue, 'banks' | 'providerById'>;
  credentials: Pick<SandboxCredentials, 'path'>;
  store: Collections & Pick<TenantStore, 'transaction'>;
  lifecycle: Pick<SubscriptionLifecycle, 'find' | 'isAwaiting' | 'linkExpired' | 'issueLink' | 'change'>;
}

/** The provider's page on which a user decides about a subscription; it can be embedded or opened alone. */
export function authoriseRoutes({ catalogue, credentials, store, lifecycle }: Deps): Router {
  const router = new Router();
  const path = authorisePath(':subscriptionId');
  const nameOf = companyNames(store);

  async function find(subscriptionId = ''): Promise<SubscriptionRecord> {
    const subscription = await lifecycle.find(subscriptionId);
    if (!subscription) throw new Problem(404, `There is no subscription ${subscriptionId}`);
    return subscription;
  }

  async function content(subscription: SubscriptionRecord): Promise<Html> {
    if (!lifecycle.isAwaiting(subscription))
      return html`<p role="status">
        ${outcomes[subscription.status] ?? `The subscription is ${subscription.status}.`}
      </p>`;
    if (lifecycle.linkExpired(subscription))
      return html`<p role="status">
        This link has expired. Go back to the console and ask for the subscription again: it comes with a new link.
      </p>`;
    const { companyId, providerId, subscriptionId, additionalData } = subscription;
    const { bankIdentifier } = parseJson(additionalData) as { bankIdentifier?: unknown }; // checked at creation
    const bank = catalogue.banks.data.find(({ bank_id }) => bank_id === bankIdentifier);
    return html`<p>${await nameOf(companyId)} asks to make payments through its account with this provider.</p>
      <dl>
        <dt>Provider</dt>
        <dd>${catalogue.providerById(providerId)?.name ?? providerId}</dd>
        ${
          bank
            ? html`<dt>Bank</dt>
                <dd>${bank.friendly_name}</dd>`
            : ''
        }
        <dt>Subscription</dt>
        <dd>${subscriptionId}</dd>
      </dl>
      ${decisionForm}`;
  }

  router.get(path, async (ctx) => {
    const subscription = await find(ctx.params['subscriptionId']);
    // The page reloads itself until the provider has processed the subscription.
    if (subscription.status === 'Received') ctx.set('Refresh', '1');
    sendPage(ctx, 200, 'Authorise payments', await content(subscription));
  });

  router.post(path, async (ctx) => {
    const decision = decisionIn(ctx);
    const expired = await store.transaction(async () => {
      const subscription = await find(ctx.params['subscriptionId']);
      if (!lifecycle.isAwaiting(subscription) || lifecycle.linkExpired(subscription)) return subscription;
      if (decision === 'expire') await lifecycle.issueLink(subscription, 0);
      else await lifecycle.change({ ...subscription, status: decisions[decision] });
      return null;
    });
    // A button pressed twice has done its work.
    if (expired && (decision === 'expire' || decisions[decision] !== expired.status)) {
      const outcome = html`${await content(expired)}
        <p>Your decision came too late and has changed nothing.</p>`;
      sendPage(ctx, 409, 'Authorise payments', outcome);
      return;
    }
    // The redirect prevents a reload from sending the decision again.
    ctx.redirect(credentials.path + ctx.path);
    ctx.status = 303;
  });

  return router;
}
