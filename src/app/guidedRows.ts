import type { Facts } from '#contract/facts.ts';
import {
  guidedPath,
  hasResult,
  heldUpBy,
  isDone,
  journeyOf,
  nameOf,
  nextJourney,
  reason,
  standsNow,
  type JourneyId,
} from '#machines/journeys.ts';
import type { Tone } from '#steps/kit/StatusWord.tsx';

export interface GuidedRow {
  id: JourneyId;
  name: string;
  tone: Tone;
  /** The state in one word: Done, Next, Later. */
  word: string;
  /** What was made, or what keeps the next row from starting; '' if nothing does. */
  explanation: string;
}

/** What the journey gave, in words: the id that it made; and what it has not, if that holds the path up. */
export function resultOf(id: JourneyId, facts: Facts): string {
  const [result] = journeyOf(id).provides;
  const lacking = heldUpBy(id, facts);
  const said = [result, lacking].flatMap((need) => (need ? standsNow(need, facts) : []));
  return [...new Set(said)].join('. ');
}

/** The guided path as rows with their state in words. */
export function guidedRows(facts: Facts): GuidedRow[] {
  const next = nextJourney(facts);
  return guidedPath(facts).map((id) => {
    const name = nameOf(id);
    if (isDone(id, facts)) return { id, name, tone: 'done', word: 'Done', explanation: resultOf(id, facts) };
    const lacking = hasResult(id, facts) ? resultOf(id, facts) : '';
    // What blocks a step is said where it is met, not on every row before the first press.
    if (id === next) return { id, name, tone: 'next', word: 'Next', explanation: reason(id, facts) ?? lacking };
    return { id, name, tone: 'idle', word: 'Later', explanation: lacking };
  });
}
