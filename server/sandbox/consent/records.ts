import type { JsonObject } from '#contract/json.ts';
import type { Collections } from '../store/tenantStore.ts';

/** The object of a consent: the put of a debtor or creditor, or a batch. */
export type ConsentTask =
  | {
      kind: 'party';
      party: 'debtor' | 'creditor';
      /** The webhook that answers the put, without its data. */
      answer: { type: string; subscriptionId: string; interactionId: string; resource: { id: string; type: string } };
      idKey: 'debtorId' | 'creditorId';
      data: JsonObject;
    }
  | { kind: 'batch'; batchId: string };

export interface Consent {
  consentId: string;
  task: ConsentTask;
  /** The company that asks; absent in a consent of an earlier version. */
  companyId?: string;
  /** Describes the object on the page. */
  what: string;
  /** ms since the epoch. */
  issuedAt: number;
  expiresAt: number;
  /** Absent until the user has decided. */
  status?: string;
}

/** The consents, by id. */
export const consentRecords = (store: Collections) => store.collection<Consent>('consent');
