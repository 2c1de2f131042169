import Router from '@koa/router';
import { html } from '#server/http/html.ts';
import type { SandboxCredentials } from '../credentials.ts';
import { decisions } from '../faults/labDecision.ts';
import { Problem } from '../http/problem.ts';
import { decisionForm, decisionIn, sendPage } from '../pages/html.ts';
import { companyNames } from '../onboarding/records.ts';
import type { Collections, TenantStore } from '../store/tenantStore.ts';
import { consentPath, type Consents } from './lifecycle.ts';
import type { Consent } from './records.ts';

interface Deps {
  credentials: Pick<SandboxCredentials, 'path'>;
  store: Collections & Pick<TenantStore, 'transaction'>;
  consents: Pick<Consents, 'find' | 'isOpen' | 'decide'>;
}

/** The provider's page on which a user decides about a debtor, a creditor or a batch. */
export function consentRoutes({ credentials, store, consents }: Deps): Router {
  const router = new Router();
  const path = consentPath(':consentId');
  const nameOf = companyNames(store);

  const find = async (consentId = ''): Promise<Consent> => {
    const consent = await consents.find(consentId);
    if (!consent) throw new Problem(404, `There is nothing to authorise under ${consentId}`);
    return consent;
  };

  router.get(path, async (ctx) => {
    const consent = await find(ctx.params['consentId']);
    const { companyId = '', what, status } = consent;
    const content = consents.isOpen(consent)
      ? html`<p>${await nameOf(companyId)} asks you to authorise ${what}.</p>
          ${decisionForm}`
      : html`<p role="status">
          ${status === undefined ? 'This link has expired.' : `It is ${status}: ${what}.`} Nothing is left to do here.
        </p>`;
    sendPage(ctx, 200, 'Authorise', content);
  });

  router.post(path, async (ctx) => {
    const decision = decisionIn(ctx);
    await store.transaction(async () => {
      const consent = await find(ctx.params['consentId']);
      if (consents.isOpen(consent)) await consents.decide(consent, decisions[decision]);
    });
    // The redirect prevents a reload from sending the decision again.
    ctx.redirect(credentials.path + ctx.path);
    ctx.status = 303;
  });

  return router;
}
