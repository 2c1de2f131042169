import { call } from './client.ts';

/** Makes a company, or an organisation without a company, the current one, which this tab then shows. */
export const use = ({ organisationId, companyId }: { organisationId: string; companyId: string }): Promise<unknown> =>
  call('setSetting', {
    body: companyId ? { key: 'companyId', value: companyId } : { key: 'organisationId', value: organisationId },
  });
