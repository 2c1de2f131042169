import type { SituationOwner } from '#contract/situation.ts';
import type { ResourceKind } from '../lib/resource.machine.ts';

/** What opening a file would do: the companies that it has, and those of the console that it would end. */
export interface CheckedSituation {
  file: File;
  /** An ISO time. */
  savedAt: string;
  opens: readonly SituationOwner[];
  ends: readonly SituationOwner[];
}

/** What an opened file leads to: its page, the companies that ended, and what could not be set again, one sentence each. */
export interface OpenedSituation {
  step: string;
  ended: readonly SituationOwner[];
  notes: readonly string[];
}

/** Opens the file that was checked. */
export interface OpenAct {
  act: 'open';
  file: File | null;
}

/** Whether no company ended, and everything was set again: then there is nothing to say. */
export const isComplete = ({ ended, notes }: OpenedSituation): boolean => ended.length + notes.length === 0;

/**
 * A situation file, which is checked once it is chosen, and opened in the sandbox. What was begun is not dismissed: the
 * page would go on to show what the sandbox no longer has.
 */
export const situationKind: ResourceKind<CheckedSituation, OpenAct> = {
  reads: 'chosen',
  permits: ({ file }, checked) => file !== null && file === checked?.file,
  changesFacts: () => true,
};
