import { latestMessages, messages } from './messages/record.ts';
import { webhooks } from './messages/webhookRecord.ts';
import { batchReferences, paymentAttempts } from './payments/register.ts';
import { programTokens } from './programs/tokens.ts';
import { madeRecords } from './record/made.ts';
import { counts } from './webhooks/inbox.ts';
import { accounts, batches, creditors, datasets, debtors, subscriptions } from './workspace/companyRecords.ts';
import { loginRecords } from './workspace/logins.ts';

/** The records of all areas. */
export const recordKinds = [
  ...[subscriptions, batches, debtors, creditors, accounts, datasets, madeRecords],
  ...[messages, latestMessages, webhooks, counts],
  ...[paymentAttempts, batchReferences, loginRecords, programTokens],
];
