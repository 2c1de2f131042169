import type { Deps } from '#server/deps.ts';
import { sending } from '#server/messages/sending.ts';
import { storedSettingsOf } from '#server/settings.ts';
import type { Handlers } from './route.ts';

/** Debtors and creditors, and the messages that create, delete and query them. */
export function partyRoutes(deps: Deps) {
  const { store } = deps;
  const sends = sending(deps);

  const ofSubscription = async <Party extends { subscriptionId: string }>(parties: Promise<Party[]>) => {
    const [{ subscriptionId }, all] = await Promise.all([storedSettingsOf(store), parties]);
    return { data: all.filter((party) => party.subscriptionId === subscriptionId) };
  };

  return {
    putDebtor: sends('debtoraccountputs', (data) => data.debtorId),
    putCreditor: sends('creditorputs', (data) => data.creditorId),
    deleteDebtor: sends('debtoraccountdeletes', (data) => data.debtorId),
    deleteCreditor: sends('creditordeletes', (data) => data.creditorId),
    queryDebtors: sends('debtoraccountlistqueries', (data) => data.subscriptionId),
    queryCreditors: sends('creditorlistqueries', (data) => data.subscriptionId),
    getDebtors: () => ofSubscription(store.debtors.list()),
    getCreditors: () => ofSubscription(store.creditors.list()),
  } satisfies Partial<Handlers>;
}
