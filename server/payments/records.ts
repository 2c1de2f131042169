import type { RecordKind } from '#server/storage/records.ts';
import type { Batch } from './invoiceIdentity.ts';

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
  /** Keys of other payments of the same invoices that the user has overridden. */
  despite: string[];
}

/** Selects the attempts whose outcome is not known. */
export const undecided = { state: 'undecided' };

export const isUndecided = ({ state }: PaymentAttempt): boolean => state === 'sent' || state === 'unknown';

export const paymentAttempts: RecordKind<PaymentAttempt> = {
  kind: 'paymentAttempts',
  isVital: true,
  columns: {
    subject: ({ intention }) => intention,
    state: (attempt) => (isUndecided(attempt) ? undecided.state : attempt.state),
  },
};

/** The references of the payments of each batch that was sent from here, in the order sent. */
export const batchReferences: RecordKind<string[]> = { kind: 'batchReferences' };

/** Returns the body that an undecided attempt sent first. */
export const sentFirst = ({ request }: PaymentAttempt): Batch => request!; // stored by send
