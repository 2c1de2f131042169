import type { CompanyContext } from '#server/companies/companyContext.ts';
import { creditors } from '#server/companies/records.ts';
import { isHalfNamed, isPayeeOf } from './invoiceIdentity.ts';
import type { Batch, KnownPayee } from './invoiceIdentity.ts';

/** Returns the company's creditors that a batch names by their id without an account, or the reverse. */
export async function knownPayeesOf(
  { store }: Pick<CompanyContext, 'store'>,
  { payments }: Pick<Batch, 'payments'>,
): Promise<KnownPayee[]> {
  const half = payments.filter(isHalfNamed);
  if (half.length === 0) return [];
  return (await store.records(creditors).list())
    .map((creditor) => ({
      creditorId: creditor.creditorId,
      identification: creditor.creditorAccountidentification,
      secondaryIdentification: creditor.creditorAccountSecondaryIdentification,
    }))
    .filter(isPayeeOf(half));
}
