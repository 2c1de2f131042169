import type { JsonObject } from '#rules/payload.ts';
import type { Deps } from '#server/deps.ts';
import { Failure, isRefusal } from '#server/failure.ts';
import { companyOf, storedSettingsOf } from '#server/settings.ts';
import type { MessageKind } from '#server/upstream/wire.ts';
import type { Handlers } from './route.ts';

/** Messages to the provider, answered by webhooks, and the debtors and creditors that came of them. */
export function messageRoutes({ store, upstream }: Deps) {
  async function forward(kind: MessageKind, data: unknown, key: string) {
    const interactionId = await upstream.send(await companyOf(store), kind, { data }, key);
    return { accepted: true as const, interactionId };
  }

  /** A message about one resource: its outcome can be asked for. Kept before it is sent, as the webhook may be quick. */
  async function follow(kind: MessageKind, resourceId: string, data: JsonObject, key: string) {
    const message = { resourceId, kind, data };
    // Repeated because the answer was lost: the webhook, which comes once only, may have decided by now.
    const repeated = (await store.messages.get(resourceId))?.key === key;
    if (!repeated) await store.messages.put(resourceId, { ...message, key, state: 'waiting', detail: '' });
    try {
      return await forward(kind, data, key);
    } catch (error) {
      if (isRefusal(error) && !repeated)
        await store.messages.put(resourceId, { ...message, key: '', state: 'refused', detail: error.message });
      throw error;
    }
  }

  const ofSubscription = async <Party extends { subscriptionId: string }>(parties: Promise<Party[]>) => {
    const [{ subscriptionId }, all] = await Promise.all([storedSettingsOf(store), parties]);
    return { data: all.filter((party) => party.subscriptionId === subscriptionId) };
  };

  return {
    sendUpdate: ({ body: { data }, key }) => follow('updates', data.id, data, key),
    putDebtor: ({ body: { data }, key }) => follow('debtoraccountputs', data.debtorId, data, key),
    putCreditor: ({ body: { data }, key }) => follow('creditorputs', data.creditorId, data, key),
    deleteDebtor: ({ body: { data }, key }) => follow('debtoraccountdeletes', data.debtorId, data, key),
    deleteCreditor: ({ body: { data }, key }) => follow('creditordeletes', data.creditorId, data, key),
    queryDebtors: ({ body: { data }, key }) => forward('debtoraccountlistqueries', data, key),
    queryCreditors: ({ body: { data }, key }) => forward('creditorlistqueries', data, key),
    async getMessage({ params: { resourceId } }) {
      const message = await store.messages.get(resourceId);
      if (!message) throw new Failure('not-found', `No message about ${resourceId} was sent from here.`);
      const { kind, state, detail } = message;
      return { data: { resourceId, kind, state, detail } };
    },
    getDebtors: () => ofSubscription(store.debtors.list()),
    getCreditors: () => ofSubscription(store.creditors.list()),
  } satisfies Partial<Handlers>;
}
