import type { Facts } from '#contract/facts.ts';
import { guidedPath, isDone, journeyOf, nextJourney, reason, type JourneyId } from '#machines/journeys.ts';
import { requirement } from '#machines/requirements.ts';
import type { Tone } from '#steps/kit/StatusWord.tsx';

export interface GuidedRow {
  id: JourneyId;
  title: string;
  tone: Tone;
  /** The state in one word: Done, Next, Waiting, Blocked. */
  word: string;
  /** What was made, or why the row is not next. */
  explanation: string;
}

/** What the journey gave, in words: the id that it made (ux, "Home"). */
export function resultOf(id: JourneyId, facts: Facts): string {
  const [result] = journeyOf(id).provides;
  return result ? requirement(result).stands(facts) : '';
}

/** The guided path as rows with their state in words (ux, "Home"). */
export function guidedRows(facts: Facts): GuidedRow[] {
  const next = nextJourney(facts);
  return guidedPath(facts).map((id) => {
    const { title, summary } = journeyOf(id);
    const blocked = reason(id, facts);
    if (isDone(id, facts)) return { id, title, tone: 'done', word: 'Done', explanation: resultOf(id, facts) };
    if (id === next) return { id, title, tone: 'next', word: 'Next', explanation: blocked ?? summary };
    if (blocked) return { id, title, tone: 'blocked', word: 'Blocked', explanation: blocked };
    return { id, title, tone: 'waiting', word: 'Waiting', explanation: next ? `For ${journeyOf(next).title}` : '' };
  });
}
