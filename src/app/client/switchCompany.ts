import type { Owner } from '#machines/onboarding/workspace.machine.ts';
import { call } from './client.ts';

/** Makes a company, or an organisation without a company, the current one, which this tab then shows. */
export const use = ({ organisationId, companyId, companyKey }: Owner): Promise<unknown> =>
  call('setSetting', {
    ...(companyKey !== undefined && { companyKey }),
    body: companyId ? { key: 'companyId', value: companyId } : { key: 'organisationId', value: organisationId },
  });
