import type { Collections } from '../store/tenantStore.ts';

/** The second receiver of all webhooks, if there is one; a single record. */
export const receiverRecords = (store: Collections) => store.collection<{ url: string }>('receiver');

/** The id of the only record. */
export const secondReceiver = 'second';
