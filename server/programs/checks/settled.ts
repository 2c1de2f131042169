import { claimsIn, isAbout, truthOf, type Claim } from './claims.ts';
import { isAnswered, type Evidence, type ProgramRun } from './evidence.ts';
import { isRefused, paymentsOf, timesPaid, writesIn } from './writes.ts';

/** An invoice that is neither paid nor declared failed, or of which the program does not say so. */
interface OpenInvoice {
  id: string;
  /** What is wrong, behind the invoice's id. */
  says: string;
}

/**
 * Whether an invoice is declared not to be paid: by the service, as far as the program says so or has no means to; or by
 * the program in its result file, which `truth-failed` judges. After a kill only a payment settles what was never sent.
 */
function isDeclaredFailed(evidence: Evidence, id: string, claim: Claim | undefined): boolean {
  const isKilled = evidence.runs.some(({ ended }) => ended === 'killed');
  if (claim?.outcome === 'failed' && !claim.byStatus && !isKilled) return true;
  if (paymentsOf(evidence, id).length > 0) return true; // none is alive
  const last = writesIn(evidence, evidence.calls).findLast(({ items }) => items.includes(id));
  const isUndecided = claim?.outcome === 'unknown' && !claim.byStatus;
  return last !== undefined && isRefused(last.call) && !isUndecided;
}

/**
 * Whether a program still says unknown of a paid invoice, although it could ask: it reads batches, or no call of it
 * for the invoice was accepted. An exit status says unknown of an invoice only if it is one of several that are all paid.
 */
function isLeftUnknown(evidence: Evidence, { invoiceId, outcome, about, known }: Claim): boolean {
  if (outcome !== 'unknown' || !about.every((id) => truthOf(known, id) === 'paid')) return false;
  const { calls } = evidence;
  const isAccepted = writesIn(evidence, calls).some(({ call, items }) => items.includes(invoiceId) && isAnswered(call));
  return !isAccepted || calls.some(({ operation }) => operation === 'batch');
}

/** Returns what is open of an invoice by what a run says; undefined if nothing is. */
function openAfter(evidence: Evidence, id: string, run: ProgramRun): OpenInvoice | undefined {
  const claim = claimsIn(evidence, run).find(({ invoiceId }) => invoiceId === id);
  if (timesPaid(evidence, id) === 0)
    return isDeclaredFailed(evidence, id, claim) ? undefined : { id, says: 'is not paid' };
  if (run.ended !== 'itself') return { id, says: 'is paid, which no run has said' };
  return claim && isLeftUnknown(evidence, claim)
    ? { id, says: 'is paid, and the program still says that it does not know' }
    : undefined;
}

/**
 * Returns the invoices that another run has to settle: what is neither paid nor declared failed, or is left unknown. Of
 * instances at the same time, one has to know.
 */
export const openInvoices = (evidence: Evidence): OpenInvoice[] =>
  evidence.invoices.flatMap(({ id }): OpenInvoice[] => {
    const asked = evidence.runs.filter((run) => run.asked.includes(id));
    const last = asked.at(-1);
    const isLatest = (run: ProgramRun) => run === last || (last !== undefined && run.endedAt > last.startedAt);
    const latest = asked.filter(isLatest);
    const open = latest.flatMap((run) => openAfter(evidence, id, run) ?? []);
    return open.length === latest.length ? open.slice(-1) : [];
  });

/** Whether the latest run has neither sent nor read anything of an invoice that is open: a lock may have kept it from that. */
export function isLeftAlone(evidence: Evidence): boolean {
  const since = evidence.runs.at(-1)?.startedAt ?? 0;
  const calls = evidence.calls.filter(({ at }) => at >= since);
  const writes = writesIn(evidence, calls);
  return openInvoices(evidence).some(({ id }) => {
    const batches = paymentsOf(evidence, id).map(({ batchId }) => batchId);
    const isSent = writes.some(({ items }) => items.includes(id));
    return !isSent && !calls.some((call) => batches.some((batchId) => isAbout(evidence, call, batchId)));
  });
}
