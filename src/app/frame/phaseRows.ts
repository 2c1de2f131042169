import type { Facts } from '#contract/facts.ts';
import { resultText, phaseOf, phases, type Phase } from '#machines/journeys.ts';
import { companyOf } from '#machines/names.ts';
import { counted } from '#rules/counted.ts';
import type { Tone } from '#ui/Badge.tsx';
import { guidedRows, type GuidedRow } from './guidedRows.ts';

/** A phase of the guided path with its rows. */
export interface PhaseRows {
  phase: Phase;
  rows: GuidedRow[];
  tone: Tone;
  word: string;
  /** A short summary of its state: the result, the number of rows done, or "later". */
  stands: string;
}

/** Phases that are summarised by their result once they are done. */
const summaries: Partial<Record<Phase, (facts: Facts) => string>> = {
  'Set up': (facts) => resultText('settings', facts),
  Identity: companyOf,
};

function standsOf(phase: Phase, rows: readonly GuidedRow[], isLater: boolean, facts: Facts): string {
  const done = rows.filter(({ tone }) => tone === 'done').length;
  const summary = done === rows.length && summaries[phase]?.(facts);
  if (summary) return summary;
  if (done === 0 && isLater) return `${counted(rows.length, 'step')} later`;
  return `${done} of ${rows.length}`;
}

/** The phases of the guided path; leaves out phases without rows. */
export function phaseRows(facts: Facts): PhaseRows[] {
  const all = guidedRows(facts);
  return phases.flatMap((phase) => {
    const rows = all.filter(({ id }) => phaseOf(id) === phase);
    if (rows.length === 0) return [];
    const isDone = rows.every(({ tone }) => tone === 'done');
    const hasExpired = rows.every(({ tone, word }) => tone === 'done' || word === 'Expired');
    const isPresent = rows.some(({ tone }) => tone === 'next');
    const { tone, word }: Pick<PhaseRows, 'tone' | 'word'> = isDone
      ? { tone: 'done', word: 'Done' }
      : rows.some(({ tone }) => tone === 'failed')
        ? { tone: 'failed', word: 'Failed' }
        : isPresent
          ? { tone: 'next', word: 'Next' }
          : { tone: 'idle', word: hasExpired ? 'Expired' : 'Later' };
    return [{ phase, rows, tone, word, stands: standsOf(phase, rows, !isPresent, facts) }];
  });
}
