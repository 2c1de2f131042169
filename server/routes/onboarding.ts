import { secretIsSet } from '#contract/secrets.ts';
import { iso } from '#server/clock.ts';
import type { Deps } from '#server/deps.ts';
import { companyOf, organisationOf, storedSettingsOf } from '#server/settings.ts';
import type { Handlers } from './route.ts';

/** Organisation, company and the access token made for the company (upstream-api, section 2.2). */
export function onboardingRoutes({ store, upstream }: Deps) {
  return {
    async createOrganisation({ body, key }) {
      const { organisationId, primarySigningKey } = await upstream.createOrganisation(body, key);
      // A repeat, after the answer was lost, may find that the user has gone on with this organisation.
      if ((await storedSettingsOf(store)).organisationId !== organisationId)
        await store.settings.writeAll({
          organisationId,
          // Shown once: an organisation without its key is of no use.
          companySigningKey: primarySigningKey,
          // What belonged to the organisation before cannot be reached with the new one's tokens.
          companyId: '',
          subscriptionId: '',
          batchId: '',
        });
      return { organisationId, primarySigningKey: secretIsSet };
    },
    async createCompany({ body, key }) {
      const company = await upstream.createCompany(await organisationOf(store), body, key);
      await store.settings.write('companyId', company.companyId);
      return company;
    },
    async getToken({ query }) {
      const company = await companyOf(store);
      const { jwt, expiresAt } = await upstream.companyToken(company);
      const { companyId, organisationId } = company;
      await store.settings.write('accessTokenOf', companyId);
      const token = query.reveal === 'true' ? jwt : secretIsSet;
      return { data: { token, expiresAt: iso(expiresAt), companyId, organisationId } };
    },
  } satisfies Partial<Handlers>;
}
