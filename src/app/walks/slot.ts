import type { JourneyId } from '#machines/journeys.ts';
import type { Walk } from '#walk/file.ts';
import { keptValue } from '../keptValue.ts';
import { ofTab } from '../storage.ts';

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

/** In session storage, because a login leaves the page. */
const playing = keptValue<Playing | null>('playing', ofTab, null);

export const keepPlaying = playing.keep;

/** The run; null if there is none, and in the page rendered at build time. */
export const usePlaying = playing.use;
