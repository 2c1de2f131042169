import type { Company, Organisation } from '#server/sandbox/onboarding/records.ts';
import type { BatchRecord } from '#server/sandbox/payment/records.ts';
import type { SubscriptionRecord } from '#server/sandbox/subscription/records.ts';

/** The records of the sandbox's store that tests read from outside, by kind. */
export interface SandboxRecords {
  organisation: Organisation;
  company: Company;
  account: { sub: string };
  subscription: SubscriptionRecord;
  debtor: object;
  creditor: object;
  batch: BatchRecord;
}
