import type { CompanyContext } from './companyContext.ts';
import { Failure } from '#server/failure.ts';
import { storedSettingsOf } from './settings.ts';
import type { Company, Organisation } from '#server/upstream/tokens.ts';

/** Whether an error means that the service no longer knows the organisation or company. */
export const isUnknownUpstream = (error: unknown): error is Failure =>
  error instanceof Failure && error.problem.code === 'unknown-to-service';

/**
 * Returns which of the current organisation and company the service no longer knows; '' if it knows both or the request
 * fails. A token proves that the service knows its owner: for a minute or, if there is a subscription (which is read
 * each time), until the service refuses the token.
 */
export async function missingOwner({ store, upstream }: Pick<CompanyContext, 'store' | 'upstream'>) {
  const { organisationId, companyId, subscriptionId, companySigningKey: signingKey } = await storedSettingsOf(store);
  if (organisationId === '') return '' as const;
  const isLost = (request: Promise<unknown>) => request.then(() => false, isUnknownUpstream);
  const proof = (owner: Organisation | Company) =>
    subscriptionId === '' ? upstream.provenToken(owner) : upstream.token(owner);
  const organisation = { organisationId, signingKey };
  if (companyId === '') return (await isLost(proof(organisation))) ? ('organisation' as const) : '';
  if (!(await isLost(proof({ ...organisation, companyId })))) return '' as const;
  // A new token is requested, because a cached token of the organisation may be outdated.
  return (await isLost(upstream.freshToken(organisation))) ? ('organisation' as const) : ('company' as const);
}
