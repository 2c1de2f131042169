import type { BatchError } from '#contract/batch.ts';
import type { Fault } from '#contract/controlShapes.ts';
import type { BatchRequest } from '#contract/payment.ts';
import type { ReturnReason, ReturnTold } from '#contract/returns.ts';
import type { InjectedFault } from '../records/call.ts';
import type { Collections } from '../store/tenantStore.ts';

/** How a payment came back: ISO time; decimals in major units of what came back and of what was kept. */
export interface ReturnRecord {
  at: string;
  reason: ReturnReason;
  amount: string;
  charges: string;
  told: ReturnTold;
}

export interface PaymentRecord {
  paymentId: string;
  status: string;
  paymentCompletedDate?: string;
  /** The day, YYYY-MM-DD, on which it is no longer held, or comes back. */
  due?: string;
  returned?: ReturnRecord;
}

export interface BatchRecord {
  batchId: string;
  companyId: string;
  /** The key of the call that created it; '' if it had none. */
  idempotencyKey: string;
  /** The language that the call asked for; '' if none. Absent in a batch of an earlier release. */
  language?: string;
  request: BatchRequest;
  status: string;
  /** One for each payment of the request, in the same order. */
  payments: PaymentRecord[];
  errors: BatchError[];
  /** ms since the epoch. */
  createdAt: number;
  /** The fault lab's fault of this batch. */
  fault?: Fault<'batch'>;
  injected?: InjectedFault;
}

/** The batches, by id. */
export const batchRecords = (store: Collections) => store.collection<BatchRecord>('batch');
