import { isAnswered, isUnknown, type Evidence, type Outcome, type ProgramRun } from './evidence.ts';
import { isDead, isMade, paymentsOf, writesIn } from './writes.ts';

/** What a run of the program says about an invoice. */
export interface Claim {
  invoiceId: string;
  outcome: Outcome;
  /** Whether the exit status says it, for lack of a result file: status 0 says paid, any other unknown. */
  byStatus: boolean;
}

/** Returns what a run says; an invoice that its file does not list is unknown. One that was ended from outside, or whose result file cannot be read, says nothing. */
function claimsIn({ ended, result, exitStatus, asked }: ProgramRun): Claim[] {
  if (ended !== 'itself' || typeof result === 'string') return [];
  if (result)
    return asked.map((invoiceId) => ({ invoiceId, outcome: result[invoiceId] ?? 'unknown', byStatus: false }));
  const outcome = exitStatus === 0 ? 'paid' : 'unknown';
  return asked.map((invoiceId) => ({ invoiceId, outcome, byStatus: true }));
}

/** Returns what all runs say. */
export const programClaims = ({ runs }: Pick<Evidence, 'runs'>): Claim[] => runs.flatMap(claimsIn);

/** The outcome of an invoice at the service; `pending` if its batch has not ended. */
export function truthOf(evidence: Evidence, invoiceId: string): Outcome | 'pending' {
  const statuses = paymentsOf(evidence, invoiceId).map(({ status }) => status);
  if (statuses.some(isMade)) return 'paid';
  return statuses.every(isDead) ? 'failed' : 'pending';
}

/** Whether a claim differs from the outcome at the service. */
export const isMisjudged = (evidence: Evidence, { invoiceId, outcome }: Claim): boolean =>
  outcome !== truthOf(evidence, invoiceId);

/**
 * Whether the program could not know the outcome of an invoice: it sent writes for it, received no response that says
 * whether one took effect, and learned nothing of a batch that pays it, by reading or by a webhook.
 */
export function isUnknowable(evidence: Evidence, invoiceId: string): boolean {
  const writes = writesIn(evidence, evidence.calls).filter(({ items }) => items.includes(invoiceId));
  if (writes.length === 0 || !writes.every(({ call }) => isUnknown(call))) return false;
  const batches = paymentsOf(evidence, invoiceId).map(({ batchId }) => batchId);
  const isRead = evidence.calls.some(
    (call) => call.operation === 'batch' && isAnswered(call) && batches.some((id) => call.path.endsWith(id)),
  );
  const isTold = evidence.webhooks.some(({ deliveries }) =>
    deliveries.some(({ status, body }) => status >= 200 && status < 300 && batches.some((id) => body.includes(id))),
  );
  return !isRead && !isTold;
}
