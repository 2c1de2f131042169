import type { ToldReturn } from '#rules/afterPaid.ts';
import type { BatchRecord, StaysPaid } from '#contract/batch.ts';
import type { Creditor, Debtor } from '#contract/party.ts';
import type { SaidStatus } from '#contract/status.ts';
import type { SubscriptionRecord } from '#contract/subscription.ts';
import type { RecordKind } from '#server/storage/records.ts';
import { comparison } from './comparableText.ts';

export const subscriptions: RecordKind<SubscriptionRecord> = { kind: 'subscriptions' };

/** Batches are found by their kind, because only some of them have a payment file. */
export const batches: RecordKind<BatchRecord> = { kind: 'batches', columns: { name: ({ kind }) => kind } };

/** When the service was asked: the process that asked, and how often it had asked before. */
export interface Asked {
  by: string;
  turn: number;
}

/** What is stored of the service's last answer about a resource. What a user has written is never part of it. */
export interface ServiceAnswer extends SaidStatus {
  asked: Asked;
}

/** What the service last answered about a subscription; `suspended` is undefined if it did not say. */
export interface SubscriptionAnswer extends ServiceAnswer {
  suspended?: boolean;
}

export const subscriptionAnswers: RecordKind<SubscriptionAnswer> = { kind: 'subscriptionAnswers' };

/**
 * What the service last answered about a batch. Only this decides whether its invoices can be paid again: the record of
 * the batch may have a status that a user has written.
 */
export interface BatchAnswer extends ServiceAnswer {
  batchId: string;
  /** When it was read (ISO time). */
  readAt: string;
  /** When it was read for the first time; absent in records of earlier versions. */
  firstReadAt?: string;
  /** `all` if the batch has failed as a whole; nothing else frees an invoice. Lists of identities are of earlier versions. */
  failed: 'all' | string[];
  /** What the service says of its payments, for a review; absent in records of earlier versions. */
  says?: {
    reference: string;
    /** Several, joined by commas, if the service lists the reference several times. */
    status: string;
    /** The messages of its errors; '' if it has none. */
    words: string;
  }[];
  staysPaid: StaysPaid[];
  /** The returns of its payments that webhooks and readings have told; absent without one. They free nothing. */
  told?: ToldReturn[];
  /** When the latest webhook about it was signed (ISO time); absent if none was. */
  heardAt?: string;
  /** As in the record of the batch. It decides nothing. */
  totals?: BatchRecord['totals'];
}

export const batchAnswers: RecordKind<BatchAnswer> = { kind: 'batchAnswers' };

/** Debtors and creditors are found and counted by their subscription. */
const columns = { subject: ({ subscriptionId }: { subscriptionId: string }) => subscriptionId };
export const debtors: RecordKind<Debtor> = { kind: 'debtors', columns };
export const creditors: RecordKind<Creditor> = {
  kind: 'creditors',
  // By its id and by its account, however a payment writes them.
  columns: {
    ...columns,
    name: ({ creditorId }) => comparison.text(creditorId),
    alias: (creditor) => comparison.number(creditor.creditorAccountidentification) || undefined,
  },
};

/** Accounts and data sets created through this console. */
export const accounts: RecordKind<{ id: string }> = { kind: 'accounts' };
export const datasets: RecordKind<{ id: string }> = { kind: 'datasets' };
