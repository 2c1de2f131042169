import type { Deps } from '#server/deps.ts';
import { sending } from '#server/messages/sending.ts';
import { storedSettingsOf } from '#server/workspace/settings.ts';
import { allOf } from '#server/store/records.ts';
import type { Records } from '#server/store/records.ts';
import type { Handlers } from './route.ts';

/** Handlers for debtors and creditors, and for the messages that create, delete and query them. */
export function partyRoutes(deps: Deps) {
  const { store } = deps;
  const sends = sending(deps);

  const ofSubscription = async <Party>(parties: Pick<Records<Party>, 'newest'>) => {
    const { subscriptionId } = await storedSettingsOf(store);
    return { data: await allOf(parties.newest(subscriptionId)) };
  };

  return {
    putDebtor: sends('debtoraccountputs', (data) => data.debtorId),
    putCreditor: sends('creditorputs', (data) => data.creditorId),
    deleteDebtor: sends('debtoraccountdeletes', (data) => data.debtorId),
    deleteCreditor: sends('creditordeletes', (data) => data.creditorId),
    queryDebtors: sends('debtoraccountlistqueries', (data) => data.subscriptionId),
    queryCreditors: sends('creditorlistqueries', (data) => data.subscriptionId),
    getDebtors: () => ofSubscription(store.debtors),
    getCreditors: () => ofSubscription(store.creditors),
  } satisfies Partial<Handlers>;
}
