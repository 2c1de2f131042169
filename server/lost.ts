import type { Deps } from './deps.ts';
import { Failure } from './failure.ts';
import { storedSettingsOf } from './settings.ts';

/** Whether an error means that the service no longer knows the organisation or company. */
export const isUnknown = (error: unknown): error is Failure =>
  error instanceof Failure && error.problem.code === 'unknown-to-service';

/**
 * Returns which of the current organisation and company the service no longer knows; '' if it knows both or the request
 * fails. A cached token counts as proof until the service refuses it.
 */
export async function lostOwner({ store, upstream }: Pick<Deps, 'store' | 'upstream'>) {
  const { organisationId, companyId, companySigningKey: signingKey } = await storedSettingsOf(store);
  if (organisationId === '') return '' as const;
  const isLost = (asking: Promise<unknown>) => asking.then(() => false, isUnknown);
  const organisation = { organisationId, signingKey };
  if (companyId === '') return (await isLost(upstream.token(organisation))) ? ('organisation' as const) : '';
  if (!(await isLost(upstream.token({ ...organisation, companyId })))) return '' as const;
  // A new token is requested, because a cached token of the organisation may be outdated.
  return (await isLost(upstream.freshToken(organisation))) ? ('organisation' as const) : ('company' as const);
}
