import type { Facts } from '#contract/facts.ts';
import { isExpired, journeyOf, reason, wasDone, type JourneyId } from '#machines/journeys.ts';
import { hasRecordFailed } from '#machines/outcome.ts';
import type { Tone } from '#ui/Badge.tsx';
import { rowResult } from '../frame/guidedRows.ts';

/** The state of a journey, independent of the guided path's next step. */
export interface JourneyStatus {
  tone: Tone;
  word: 'Done' | 'Failed' | 'Expired' | 'Open' | 'Blocked';
  /** What was created, what is missing, or what the journey does. */
  explanation: string;
}

export function journeyStatusOf(id: JourneyId, facts: Facts): JourneyStatus {
  if (isExpired(id, facts)) return { tone: 'idle', word: 'Expired', explanation: rowResult(id, facts) };
  if (wasDone(id, facts) && hasRecordFailed(id, facts))
    return { tone: 'failed', word: 'Failed', explanation: rowResult(id, facts) };
  if (wasDone(id, facts)) return { tone: 'done', word: 'Done', explanation: rowResult(id, facts) };
  const blocked = reason(id, facts);
  return blocked
    ? { tone: 'blocked', word: 'Blocked', explanation: blocked }
    : { tone: 'next', word: 'Open', explanation: journeyOf(id).summary };
}
