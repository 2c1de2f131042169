import type { JsonObject } from '#contract/json.ts';
import type { Collections } from '../store/tenantStore.ts';

/** The debtors or creditors, by {subscriptionId}/{their id}. */
export const partyRecords = (store: Collections, kind: 'debtor' | 'creditor') => store.collection<JsonObject>(kind);
