import type { BatchRecord } from '#contract/batch.ts';
import type { Facts } from '#contract/facts.ts';
import {
  guidedPath,
  hasResult,
  heldUpBy,
  alternatives,
  isDone,
  isExpired,
  journeyOf,
  nameOf,
  nextJourney,
  reason,
  requirementStatus,
  wasDone,
  type JourneyId,
} from '#machines/journeys.ts';
import { counted } from '#rules/counted.ts';
import { groupedAmounts } from '#rules/groupedAmounts.ts';
import { hasRecordFailed, outcomeNow } from '#machines/outcome.ts';
import type { Tone } from '#ui/Badge.tsx';

export interface GuidedRow {
  id: JourneyId;
  /** The journey to which the row leads: the alternative that has done it, or the row's own. */
  journey: JourneyId;
  name: string;
  tone: Tone;
  /** The state in one word: Done, Failed, Expired, Next or Later. */
  word: string;
  /** The id that was created, or what prevents the next row from starting; '' if nothing does. */
  explanation: string;
}

/** A journey's result in words: the created id, and what is still missing and blocks the path. */
export function rowResult(id: JourneyId, facts: Facts): string {
  const [result] = journeyOf(id).provides;
  const lacking = heldUpBy(id, facts);
  const said = [result, lacking].flatMap((need) => (need ? requirementStatus(need, facts) : []));
  return [...new Set(said)].join('. ');
}

/** The last payment as a sentence: its total and whom it pays. */
function submittedText({ settings }: Facts): string {
  const last = (JSON.parse(settings.postedBatches) as BatchRecord[]).at(-1); // the server assembles it by this shape
  if (!last?.amount) return 'Batch submitted';
  const to = last.creditors === undefined ? '' : ` to ${counted(last.creditors, 'creditor')}`;
  return `${groupedAmounts(last.amount)} submitted${to}`;
}

/** A journey's result as a sentence about what was done; for a batch that has left payments unpaid, its status. */
export function doneText(id: JourneyId, facts: Facts): string {
  const isPayment = journeyOf(id).provides[0] === 'batches';
  if (isPayment && outcomeNow(id, facts) === 'failed') return requirementStatus('batchEnd', facts);
  return isPayment ? 'Batch submitted' : rowResult(id, facts);
}

/** What a journey has created, as a sentence: a payment's total and payees, or how it has failed; a batch's status. */
export function outcomeText(id: JourneyId, facts: Facts): string {
  if (journeyOf(id).resource !== 'batch') return rowResult(id, facts);
  const isPaid = journeyOf(id).provides[0] === 'batches' && outcomeNow(id, facts) !== 'failed';
  return isPaid ? submittedText(facts) : requirementStatus('batchEnd', facts);
}

/** Whether the user has neither paid anything nor a choice of companies: tools for later would be in the way. */
export const isNewcomer = ({ settings, companies }: Facts): boolean =>
  settings.postedBatches === '[]' && companies.length <= 1;

/** The rows of the guided path, with their states in words. */
export function guidedRows(facts: Facts): GuidedRow[] {
  const next = nextJourney(facts);
  return guidedPath(facts).map((id) => {
    const name = nameOf(id);
    if (isExpired(id, facts))
      return { id, journey: id, name, tone: 'idle', word: 'Expired', explanation: rowResult(id, facts) };
    // A row that an alternative has done has the name of that alternative, and leads there.
    const doneAs = [id, ...alternatives(id)].find((each) => wasDone(each, facts)) ?? id;
    if (isDone(id, facts))
      return {
        id,
        journey: doneAs,
        name: nameOf(doneAs),
        ...(hasRecordFailed(id, facts)
          ? ({ tone: 'failed', word: 'Failed' } as const)
          : ({ tone: 'done', word: 'Done' } as const)),
        explanation: rowResult(id, facts),
      };
    const lacking = hasResult(id, facts) ? rowResult(id, facts) : '';
    // Only the next row shows its reason; otherwise a new user would see one in every row.
    if (id === next)
      return { id, journey: id, name, tone: 'next', word: 'Next', explanation: reason(id, facts) ?? lacking };
    return { id, journey: id, name, tone: 'idle', word: 'Later', explanation: lacking };
  });
}
