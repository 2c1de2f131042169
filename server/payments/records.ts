import type { PendingPayment } from '#contract/payment.ts';
import type { RecordKind } from '#server/storage/records.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { writeKeyPrefix } from '#server/calls/idempotency.ts';
import { keyTtl } from '#server/upstream/wire.ts';
import type { Batch, KnownPayee } from './invoiceIdentity.ts';
import type { Identification } from './listedPayments.ts';

/** An attempt at a payment, with its outcome; stored under its idempotency key. Times in ms, 0 for never. */
export interface PaymentAttempt {
  key: string;
  /** See `intentionOf`. */
  intention: string;
  /** `open`: nothing was sent; `sent`: in progress, or interrupted; `unknown`: the response was lost. */
  state: 'open' | 'sent' | 'unknown' | 'refused' | 'done';
  madeAt: number;
  sentAt: number;
  /** The body that was sent first, while the outcome is undecided; otherwise null. */
  request: Batch | null;
  /** The creditors that it names by half, as they were known when it was sent first (see `identitiesOf`). */
  known?: KnownPayee[];
  /** Other payments of the same invoices that the user has overridden (see `PriorPayment`). */
  despite: string[];
  /** The payments of the same invoices that its review has shown; absent if it had none. A confirmation means these. */
  shown?: string[];
  /** What was sent, in short; absent before it is sent. */
  summary?: Pick<PendingPayment, 'externalId' | 'kind' | 'payments' | 'amount' | 'interactionId'>;
  /** Why the response is not known; absent unless it was lost. */
  lost?: string;
  /** The batch that has its externalId, if a webhook named it while the response was awaited. */
  named?: string;
  /** The batch by which a lost response was settled, with the ISO time. */
  settled?: Omit<NonNullable<PendingPayment['settled']>, 'status'>;
}

/** Selects the attempts whose outcome is not known. */
export const undecided = { state: 'undecided' };

/** Selects the attempts that were undecided and have been settled. */
export const settledOnes = { state: 'settled' };

export const isUndecided = ({ state }: PaymentAttempt): boolean => state === 'sent' || state === 'unknown';

export const paymentAttempts: RecordKind<PaymentAttempt> = {
  kind: 'paymentAttempts',
  isVital: true,
  columns: {
    subject: ({ intention }) => intention,
    state: (attempt) => (isUndecided(attempt) ? undecided.state : attempt.settled ? settledOnes.state : attempt.state),
    name: (attempt) => (isUndecided(attempt) && sentFirst(attempt).externalId) || undefined,
  },
};

/** A payment that was sent from here: its reference, and the identities under which its invoice is reserved. */
export interface SentPayment {
  /** Those of its batch; absent in records of earlier versions. */
  ofBatch?: {
    externalId: string;
    subscriptionId: string;
    /** Whether the batch was recognised by its externalId, and neither by a response nor by its payments. */
    isByExternalId?: true;
  };
  reference: string;
  identities: string[];
  /** Absent in records of earlier versions. */
  identification?: Identification;
}

/** The payments of each batch that was sent from here, in the order sent. */
export const sentPayments: RecordKind<SentPayment[]> = { kind: 'sentPayments' };

/** Returns the body that an undecided attempt sent first. */
export const sentFirst = ({ request }: PaymentAttempt): Batch => request!; // stored by send

/** Time (ms) after which a request in progress counts as lost: the service's longest time-out is shorter. */
export const inProgressFor = 2 * 60_000;

/** Whether the response to an undecided attempt is still awaited, at the time `now` (ms). */
export const isInProgress = ({ lost, sentAt }: PaymentAttempt, now: number): boolean =>
  lost === undefined && now - sentAt <= inProgressFor;

/** Whether an attempt that was sent may be repeated under its key. */
export async function isRepeatable(
  { store, upstream, retryWindow }: Pick<CompanyContext, 'store' | 'upstream' | 'retryWindow'>,
  attempt: PaymentAttempt,
): Promise<boolean> {
  const at = { workspace: store.workspace, companyKey: store.scope };
  const claim = await store.idempotencyKeys.firstSend(at, writeKeyPrefix + attempt.key);
  const life = 'fileFormatId' in sentFirst(attempt) ? keyTtl.fileBatch : keyTtl.usual;
  const { serviceClock } = upstream;
  return retryWindow({ claimedAt: attempt.sentAt, ...claim, keyTtl: life, serviceClock }).remaining() > 0;
}
