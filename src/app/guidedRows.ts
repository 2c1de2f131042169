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
  /** The state in one word: Done, Next, Waiting, Blocked. */
  word: string;
  /** What was made, or why the row is not next. */
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
    const [name, { summary }] = [nameOf(id), journeyOf(id)];
    const blocked = reason(id, facts) ?? (hasResult(id, facts) ? resultOf(id, facts) : undefined);
    if (isDone(id, facts)) return { id, name, tone: 'done', word: 'Done', explanation: resultOf(id, facts) };
    if (id === next) return { id, name, tone: 'next', word: 'Next', explanation: blocked ?? summary };
    if (blocked) return { id, name, tone: 'blocked', word: 'Blocked', explanation: blocked };
    return { id, name, tone: 'waiting', word: 'Waiting', explanation: next ? `For ${nameOf(next)}` : '' };
  });
}
