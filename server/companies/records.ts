import type { BatchRecord } from '#contract/batch.ts';
import type { Creditor, Debtor } from '#contract/party.ts';
import type { SubscriptionRecord } from '#contract/subscription.ts';
import type { RecordKind } from '#server/storage/records.ts';

export const subscriptions: RecordKind<SubscriptionRecord> = { kind: 'subscriptions' };

export const batches: RecordKind<BatchRecord> = { kind: 'batches' };

/** Debtors and creditors are found and counted by their subscription. */
const columns = { subject: ({ subscriptionId }: { subscriptionId: string }) => subscriptionId };
export const debtors: RecordKind<Debtor> = { kind: 'debtors', columns };
export const creditors: RecordKind<Creditor> = { kind: 'creditors', columns };

/** Accounts and data sets created through this console. */
export const accounts: RecordKind<{ id: string }> = { kind: 'accounts' };
export const datasets: RecordKind<{ id: string }> = { kind: 'datasets' };
