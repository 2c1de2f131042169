import { storeAt } from '#server/companies/companyStore.ts';
import { storedSettingsOf } from '#server/companies/settings.ts';
import type { Storage } from '#server/storage/open.ts';
import type { Location } from '#server/storage/schema.ts';
import { sumsBy } from './invoiceIdentity.ts';
import { comparableOwner } from './payer.ts';
import { paymentAttempts, sentFirst, undecided } from './records.ts';

async function adopt(storage: Storage, at: Location): Promise<void> {
  const store = storeAt(storage, at.workspace, at.companyKey);
  await store.transaction(async () => {
    const { organisationId, companyId } = await storedSettingsOf(store);
    if (companyId === '') return;
    const open = await store.records(paymentAttempts).list(undecided);
    await storage.paidInvoices.adopt(at, {
      owner: comparableOwner({ application: '', organisationId, companyId }),
      undecided: open.map((attempt) => ({
        ...{ key: attempt.key, sentAt: attempt.sentAt },
        sums: sentFirst(attempt).payments.flatMap((payment) => sumsBy([])(payment).own),
      })),
    });
  });
}

/**
 * Finds out for which company of the service earlier versions have stored paid invoices, which named the console's
 * record of it: from then on they are known as paid to all records of the company. What cannot be read is reported, and
 * counts as paid at its own record until the next start.
 */
export async function adoptEarlierPayments(storage: Storage, onError: (error: unknown) => void): Promise<void> {
  for (const at of await storage.paidInvoices.unowned()) await adopt(storage, at).catch(onError);
}
