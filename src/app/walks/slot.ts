import type { JourneyId } from '#machines/journeys.ts';
import type { Walk } from '#walk/file.ts';
import { keptValue } from '../keptValue.ts';
import { ofTab } from '../storage.ts';

/** Journeys that are being run, or were when the page was left: those of a file, or of a rehearsal. */
export interface Playing {
  walks: readonly Walk[];
  /** The index of the journey that is run, or would be next. */
  at: number;
  /** What is rehearsed; its journeys are not known beforehand, and it cannot be gone on with. */
  rehearsal?: { name: string; right: string; journey: JourneyId | null };
  state: 'running' | 'stopped' | 'done' | 'failed';
  /** What its user has to do now, or why it has failed; '' for nothing. */
  says: string;
}

/** In session storage, because a login leads away from the page. */
const playing = keptValue<Playing | null>('playing', ofTab, null);

export const keepPlaying = playing.keep;

/** What is being run; null if nothing is, and while the page is rendered at build time. */
export const usePlaying = playing.use;
