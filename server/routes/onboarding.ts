import { secretIsSet } from '#contract/secrets.ts';
import { iso } from '#server/clock.ts';
import { keepMade } from '#server/companies.ts';
import type { Deps } from '#server/deps.ts';
import { companyOf, organisationOf } from '#server/settings.ts';
import type { Handlers } from './route.ts';

/** Organisation, company and the access token made for the company (wire, section 2.2). */
export function onboardingRoutes(deps: Deps) {
  const { store, upstream } = deps;

  return {
    async createOrganisation({ body, key, moveTo }) {
      const { organisationId, primarySigningKey } = await upstream.createOrganisation(body, key);
      // Shown once: an organisation without its key is of no use.
      moveTo(await keepMade(deps, { organisationId, companySigningKey: primarySigningKey }));
      return { organisationId, primarySigningKey: secretIsSet };
    },
    async createCompany({ body, key, moveTo }) {
      const organisation = await organisationOf(store);
      const { companyId } = await upstream.createCompany(organisation, body, key);
      const { organisationId, signingKey: companySigningKey } = organisation;
      moveTo(await keepMade(deps, { organisationId, companySigningKey, companyId, companyName: body.name }));
      return { companyId };
    },
    async getToken({ query }) {
      const company = await companyOf(store);
      const { jwt, expiresAt } = await upstream.token(company);
      const { companyId, organisationId } = company;
      await store.settings.write('accessTokenOf', companyId);
      const token = query.reveal === 'true' ? jwt : secretIsSet;
      return { data: { token, expiresAt: iso(expiresAt), companyId, organisationId } };
    },
  } satisfies Partial<Handlers>;
}
