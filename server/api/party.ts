import type { CompanyContext } from '#server/companies/companyContext.ts';
import { createSendHandlers } from '#server/messages/outbox.ts';
import { storedSettingsOf } from '#server/companies/settings.ts';
import type { RecordKind } from '#server/storage/records.ts';
import { creditors, debtors } from '#server/companies/records.ts';
import type { Handlers } from './handlers.ts';

/** Handlers for debtors and creditors, and for the messages that create, delete and query them. */
export function partyRoutes(deps: CompanyContext) {
  const { store } = deps;
  const sends = createSendHandlers(deps);

  const ofSubscription = async <Party>(kind: RecordKind<Party>) => {
    const { subscriptionId } = await storedSettingsOf(store);
    return { data: await store.records(kind).list({ subject: subscriptionId }) };
  };

  return {
    putDebtor: sends('debtoraccountputs', (data) => data.debtorId),
    putCreditor: sends('creditorputs', (data) => data.creditorId),
    deleteDebtor: sends('debtoraccountdeletes', (data) => data.debtorId),
    deleteCreditor: sends('creditordeletes', (data) => data.creditorId),
    queryDebtors: sends('debtoraccountlistqueries', (data) => data.subscriptionId),
    queryCreditors: sends('creditorlistqueries', (data) => data.subscriptionId),
    getDebtors: () => ofSubscription(debtors),
    getCreditors: () => ofSubscription(creditors),
  } satisfies Partial<Handlers>;
}
