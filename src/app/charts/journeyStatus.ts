import type { Facts } from '#contract/facts.ts';
import { isDone, journeyOf, reason, type JourneyId } from '#machines/journeys.ts';
import type { Tone } from '#ui/Badge.tsx';
import { rowResult } from '../home/guidedRows.ts';

/** The state of a journey, independent of the guided path's next step. */
export interface JourneyStatus {
  tone: Tone;
  word: 'Done' | 'Open' | 'Blocked';
  /** What was created, what is missing, or what the journey does. */
  explanation: string;
}

export function journeyStatusOf(id: JourneyId, facts: Facts): JourneyStatus {
  if (isDone(id, facts)) return { tone: 'done', word: 'Done', explanation: rowResult(id, facts) };
  const blocked = reason(id, facts);
  return blocked
    ? { tone: 'blocked', word: 'Blocked', explanation: blocked }
    : { tone: 'next', word: 'Open', explanation: journeyOf(id).summary };
}
