import { useSyncExternalStore } from 'react';
import type { JourneyId } from '#machines/journeys.ts';
import type { Walk } from '#walk/file.ts';
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
const slot = 'playing';
const listeners = new Set<() => void>();

export function keepPlaying(playing: Playing | null): void {
  if (playing) ofTab().setItem(slot, JSON.stringify(playing));
  else ofTab().removeItem(slot);
  for (const changed of listeners) changed();
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

const kept = (): string | null => ofTab().getItem(slot);

/** What is being run, as JSON; null if nothing is, and while the page is rendered at build time. */
export const usePlaying = (): string | null => useSyncExternalStore(subscribe, kept, () => null);

export const playingIn = (text: string | null): Playing | null => JSON.parse(text ?? 'null') as Playing | null; // written above only
