import { latestMessages, messages } from '#server/messages/records.ts';
import { webhooks } from '#server/messages/webhookRecord.ts';
import { batchReferences, paymentAttempts } from '#server/payments/records.ts';
import { programTokens } from '#server/programs/tokens.ts';
import { provenanceRecords } from '#server/companies/provenance.ts';
import { counts } from '#server/webhooks/inbox.ts';
import { accounts, batches, creditors, datasets, debtors, subscriptions } from '#server/companies/records.ts';
import { loginRecords } from '#server/companies/userLogins.ts';

/** The records of all areas. */
export const recordKinds = [
  ...[subscriptions, batches, debtors, creditors, accounts, datasets, provenanceRecords],
  ...[messages, latestMessages, webhooks, counts],
  ...[paymentAttempts, batchReferences, loginRecords, programTokens],
];
