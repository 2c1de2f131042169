import type { JWK } from 'jose';
import type { BatchError } from '#contract/batch.ts';
import type { BatchRequest } from '#contract/payment.ts';
import type { Subscription } from '#contract/subscription.ts';
import type { Fault, KeptRule } from '#contract/labShapes.ts';
import type { Consent } from '#server/sandbox/consent/lifecycle.ts';
import type { Mark } from './lab/faults.ts';
import type { Shift } from './lab/clock.ts';
import type { JsonObject } from '#contract/json.ts';

export interface Organisation {
  organisationId: string;
  applicationId: string;
  primarySigningKey: string;
}

export interface Company {
  companyId: string;
  organisationId: string;
  /** Absent in records made before names were stored. */
  name?: string;
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
  /** Present while the subscription awaits authorisation: when the link was issued and when it expires (steady, ms). */
  link?: { issuedAt: number; expiresAt: number };
}

export interface KeptBatch {
  batchId: string;
  companyId: string;
  request: BatchRequest;
  status: string;
  /** One for each payment of the request, in the same order. */
  payments: { paymentId: string; status: string; paymentCompletedDate?: string }[];
  errors: BatchError[];
  /** ms since the epoch. */
  createdAt: number;
  /** The fault lab's fault of this batch. */
  fault?: Fault<'batch'>;
  mark?: Mark;
}

interface Transfer {
  transferId: string;
  amount: string;
  currency: string;
  email: string;
  message: string;
}

/** Stored resources by kind. Debtors and creditors are addressed as {subscriptionId}/{their id}. */
export interface Records {
  /** The RSA key that signs tokens. Kept at a reset, because clients cache the published key set. */
  key: JWK;
  nonce: true;
  organisation: Organisation;
  company: Company;
  /** Stored under `sub`. */
  user: User;
  /** The owner of a network account. */
  account: { sub: string };
  subscription: KeptSubscription;
  debtor: JsonObject;
  creditor: JsonObject;
  batch: KeptBatch;
  consent: Consent;
  transfer: Transfer;
  /** A rule of the fault lab. */
  fault: KeptRule;
  /** The idempotency keys whose calls have met the fault of a magic amount. */
  magic: true;
  /** The shift of the sandbox's clock; a single record. */
  clock: Shift;
  /** The second receiver of webhooks. */
  receiver: { url: string };
}
