import type { BatchRecord } from '#contract/batch.ts';
import type { Creditor, Debtor } from '#contract/party.ts';
import type { SubscriptionRecord } from '#contract/subscription.ts';
import type { RecordKind } from '#server/storage/records.ts';
import { comparison } from './comparableText.ts';

export const subscriptions: RecordKind<SubscriptionRecord> = { kind: 'subscriptions' };

/** Batches are found by their kind, because only some of them have a payment file. */
export const batches: RecordKind<BatchRecord> = { kind: 'batches', columns: { name: ({ kind }) => kind } };

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
