import { comparableId } from '#server/companies/companyList.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { storedSettingsOf } from '#server/companies/settings.ts';
import type { Owner, Payer } from '#server/storage/paidInvoices.ts';

/** Returns how a company is known in the register of paid invoices, however its ids are written. */
export const comparableOwner = ({ application, organisationId, companyId }: Owner): Owner => ({
  application: comparableId(application),
  organisationId: comparableId(organisationId),
  companyId: comparableId(companyId),
});

/** Returns under whom the payments of a company are registered; undefined if its record names no company. */
export async function payerOf({ store, config }: Pick<CompanyContext, 'store' | 'config'>): Promise<Payer | undefined> {
  const { organisationId, companyId } = await storedSettingsOf(store);
  if (comparableId(companyId) === '') return undefined;
  const { applicationId: application } = config.upstream;
  return {
    ...{ workspace: store.workspace, companyKey: store.scope },
    owner: comparableOwner({ application, organisationId, companyId }),
  };
}
