import { own } from '#contract/member.ts';
import { journeys, type JourneyId } from '#machines/journeys.ts';
import type { Walk } from '#runner/actions.ts';
import { isListOf, isObjectOf, isTableOf, isText, storedValue } from '../client/storedValue.ts';
import { sessionStore } from '../client/storage.ts';

/** The journeys of a file or of a rehearsal that are being run, or were when the page was left. */
export interface Playing {
  walks: readonly Walk[];
  /** The index of the current or next journey. */
  at: number;
  /** The rehearsal, if it is one. Its journeys are not known beforehand, and it cannot be continued. */
  rehearsal?: { name: string; right: string; journey: JourneyId | null };
  state: 'running' | 'stopped' | 'done' | 'failed';
  /** What the user must do now, or why it failed; '' for nothing. */
  says: string;
}

const isJourney = (value: unknown): boolean => isText(value) && own(journeys, value as string); // just checked
/** Whether a value is a journey with its values and choices. */
const isRun = isObjectOf({
  journey: isJourney,
  values: isTableOf(isText),
  choices: isTableOf((value) => value !== null),
});
const isRuns = isListOf(isRun);
const isPlaying = isObjectOf({
  walks: isRuns,
  at: Number.isInteger,
  rehearsal: (value) =>
    value === undefined ||
    isObjectOf({ name: isText, right: isText, journey: (id) => id === null || isJourney(id) })(value),
  state: isText,
  says: isText,
});

/** In session storage, because a login leaves the page. */
const playing = storedValue<Playing | null>('playing', sessionStore, null, isPlaying);

export const savePlaying = playing.keep;

/** The run; null if there is none, and in the page rendered at build time. */
export const usePlaying = playing.use;
