import { call } from './client.ts';

/** Makes a company current, or an organisation that has none yet; from then on this tab shows it. */
export const use = ({ organisationId, companyId }: { organisationId: string; companyId: string }): Promise<unknown> =>
  call('setSetting', {
    body: companyId ? { key: 'companyId', value: companyId } : { key: 'organisationId', value: organisationId },
  });
