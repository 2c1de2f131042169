import { alerts } from '#contract/alerts.ts';
import { keepEntered } from '#server/companies.ts';
import type { Deps } from '#server/deps.ts';
import { Failure } from '#server/failure.ts';
import { remove } from '#server/removal.ts';
import type { Handlers } from './route.ts';

/** The organisations and companies of a workspace: entering one, revealing its key, removing what is gone. */
export function companyRoutes(deps: Deps) {
  const { store, upstream } = deps;

  return {
    async useExisting({ body: { organisationId, companyId, signingKey }, moveTo }) {
      // Nothing is stored before the service has taken the key.
      await upstream.freshToken({ organisationId, signingKey, ...(companyId && { companyId }) });
      const entered = { organisationId, companySigningKey: signingKey, ...(companyId && { companyId }) };
      moveTo(await keepEntered(deps, entered));
      return { organisationId, companyId };
    },
    async revealSigningKey({ body: { organisationId } }) {
      const own = (await store.scopes.list()).find((each) => each.organisationId === organisationId);
      const { companySigningKey: signingKey = '' } = own ? await store.scopes.read(own.scope) : {};
      if (signingKey === '') throw new Failure('prerequisite-missing', alerts.noOrganisation);
      // Claimed before it is given: of two that ask at once, one gets it.
      if (store.claims.claim(`signing-key/${organisationId}`, organisationId).state !== 'fresh')
        throw new Failure(
          'forbidden',
          'The signing key of this organisation was revealed once already, and is not shown again: use the copy that was made then.',
        );
      return { signingKey };
    },
    async removeRecord({ body: { kind, id }, moveTo }) {
      moveTo(await remove(deps, kind, id));
      return { removed: true as const };
    },
  } satisfies Partial<Handlers>;
}
