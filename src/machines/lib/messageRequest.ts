import type { JsonObject } from '#contract/json.ts';

type PartyKind = 'debtor' | 'creditor';

/** Creates a debtor or creditor for the subscription whose rules its form was built from. */
interface PutRequest {
  request: 'put';
  party: PartyKind;
  subscriptionId: string;
  body: JsonObject;
  /** Whether the user confirms sending it although the same values await their answer. */
  again: boolean;
}

interface QueryRequest {
  request: 'query';
  party: PartyKind;
  subscriptionId: string;
  /** The id of an earlier query to resend under its idempotency key; '' for a new query. */
  lostQuery: string;
}

interface DeleteRequest {
  request: 'delete';
  party: PartyKind;
  subscriptionId: string;
  id: string;
}

/** Changes a subscription's properties (behaviour, section 7). */
interface UpdateRequest {
  request: 'update';
  subscriptionId: string;
  properties: JsonObject;
  /** Whether the user confirms sending it although another update of the subscription awaits its answer. */
  again: boolean;
}

/** What a journey asks the provider for by a message (wire, section 6). */
export type MessageRequest = PutRequest | QueryRequest | DeleteRequest | UpdateRequest;
