import type { JWK } from 'jose';
import type { BatchError, BatchRequest, Subscription } from '#contract/entities.ts';
import type { Consent } from './consents.ts';
import type { JsonObject } from '#contract/json.ts';

export interface Organisation {
  organisationId: string;
  applicationId: string;
  primarySigningKey: string;
}

export interface Company {
  companyId: string;
  organisationId: string;
}

export interface User {
  sub: string;
  email: string;
  name: string;
}

export interface KeptSubscription extends Subscription {
  organisationId: string;
  companyId: string;
  additionalData: string;
  suspendedByConsumer: boolean;
  /** While it awaits authorisation: when its link was issued and when the link dies, ms since the epoch. */
  link?: { issuedAt: number; expiresAt: number };
}

export interface KeptBatch {
  batchId: string;
  companyId: string;
  request: BatchRequest;
  status: string;
  /** One for each payment of the request, in its order. */
  payments: { paymentId: string; status: string; paymentCompletedDate?: string }[];
  errors: BatchError[];
  /** ms since the epoch. */
  createdAt: number;
}

interface Transfer {
  transferId: string;
  amount: string;
  currency: string;
  email: string;
  message: string;
}

/** What is kept, by kind. Debtors and creditors are addressed as {subscriptionId}/{their id}. */
export interface Records {
  /** The RSA key under the tokens; survives a reset, since clients cache the published key set. */
  key: JWK;
  nonce: true;
  organisation: Organisation;
  company: Company;
  /** Addressed by `sub`. */
  user: User;
  /** Network account: whose it is. */
  account: { sub: string };
  subscription: KeptSubscription;
  debtor: JsonObject;
  creditor: JsonObject;
  batch: KeptBatch;
  consent: Consent;
  transfer: Transfer;
}
