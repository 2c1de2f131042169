import type { CompanyContext } from './companyContext.ts';
import { Failure } from '#server/failure.ts';
import type { Company, Organisation } from '#server/upstream/tokens.ts';

/** Whether an error means that the service no longer knows the organisation or company. */
export const isUnknownUpstream = (error: unknown): error is Failure =>
  error instanceof Failure && error.problem.code === 'unknown-to-service';

/** Whether an error means that the service issues no token for the owner, unknown or with a wrong signing key. */
export const isOwnerRefusal = (error: unknown): error is Failure =>
  isUnknownUpstream(error) || (error instanceof Failure && error.problem.code === 'signing-key-rejected');

/** Why the service issues no token; '' if it does, or the request fails otherwise. */
const tokenRefusal = (request: Promise<unknown>): Promise<'' | 'unknown' | 'signingKey'> =>
  request.then(
    () => '',
    (error: unknown) => (!isOwnerRefusal(error) ? '' : isUnknownUpstream(error) ? 'unknown' : 'signingKey'),
  );

/**
 * Returns which of the current organisation and company the service no longer knows, or 'signingKey' if it does not
 * accept the organisation's key; '' if it knows both or the request fails. A token proves that the service knows its
 * owner: for a minute or, if there is a subscription (which is read each time), until the service refuses the token.
 */
export async function missingOwner({ settings, upstream }: CompanyContext) {
  const { organisationId, companyId, subscriptionId, companySigningKey: signingKey } = settings;
  if (organisationId === '') return '';
  const proof = (owner: Organisation | Company) =>
    subscriptionId === '' ? upstream.provenToken(owner) : upstream.token(owner);
  const organisation = { organisationId, signingKey };
  const refusal = await tokenRefusal(proof(companyId === '' ? organisation : { ...organisation, companyId }));
  if (refusal !== 'unknown') return refusal;
  if (companyId === '') return 'organisation';
  // A new token is requested, because a cached token of the organisation may be outdated.
  const ofOrganisation = await tokenRefusal(upstream.freshToken(organisation));
  return ofOrganisation === 'unknown' ? 'organisation' : ofOrganisation || 'company';
}
