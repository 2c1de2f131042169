import { createContext } from 'react';
import type { TimelineEntry } from '#contract/timeline.ts';

/** A line of a history: a call, or a webhook with the call that it answers. */
export interface Evidence {
  call: TimelineEntry | undefined;
  webhook: TimelineEntry | undefined;
}

/** The line of a history whose call or webhook the inspector shows. */
export interface ChosenEvidence {
  /** Id of the chosen entry; '' if none is chosen. */
  id: string;
  choose: (evidence: Evidence | null) => void;
}

/** Null on a page without an inspector, where lines cannot be chosen. */
export const ChosenEvidenceContext = createContext<ChosenEvidence | null>(null);

/** The id of the entry that a line is about; '' for none. */
export const entryOf = (evidence: Evidence | null): string => (evidence?.webhook ?? evidence?.call)?.id ?? '';
