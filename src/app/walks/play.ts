import type { ConsoleActor } from '../running.ts';
import type { Walk } from '#walk/file.ts';
import { createWalker } from '#walk/walk.ts';
import { pause } from './pause.ts';
import { keepPlaying, type Playing } from './slot.ts';

const stopped = new Error('The run was stopped');

/** Ends the run under way in this page; there is one at most. */
let ending: AbortController | null = null;

/** Whether the run that is kept goes on in this page, and not only was when it was loaded. */
export const isUnderWay = (): boolean => ending !== null;

/**
 * Runs journeys in the page, from the one with the index `from`: its addresses are opened one after the other, its forms
 * filled in and sent. A provider's page is its user's to decide on; a login leads away from the page, and the run is gone
 * on with afterwards.
 */
export async function play(
  actor: ConsoleActor,
  go: (address: string) => void,
  walks: readonly Walk[],
  from = 0,
): Promise<void> {
  stop();
  const mine = new AbortController();
  ending = mine;
  let playing: Playing = { walks, at: from, state: 'running', says: '' };
  const now = (change: Partial<Playing>) => {
    playing = { ...playing, ...change };
    if (ending === mine) keepPlaying(playing);
  };
  now({});
  let at = from - 1;
  /** A page that is left for good; only the run can be stopped. */
  const away = () => new Promise<never>((_, reject) => mine.signal.addEventListener('abort', () => reject(stopped)));
  const walker = createWalker(
    actor,
    {
      go,
      pause,
      now: () => performance.now(),
      patient: true,
      visit({ page }) {
        if (page === 'login') now({ says: 'Log in, then go on here' });
        if (page === 'authorise') now({ says: 'Decide on the provider’s page' });
        return page === 'login' ? away() : Promise.resolve();
      },
      tell(told) {
        if ('begins' in told) now({ at: (at += 1), says: '' });
      },
    },
    mine.signal,
  );
  try {
    const walked = await walker.all(walks.slice(from));
    const failed = walked.find(({ end }) => end === 'failed');
    if (mine.signal.aborted) now({ state: 'stopped', says: '' });
    else now(failed ? { state: 'failed', says: failed.because } : { state: 'done', says: '' });
  } catch (error) {
    now({ state: 'stopped', says: mine.signal.aborted ? '' : String(error) });
  } finally {
    walker.stop();
    if (ending === mine) ending = null;
  }
}

/** Stops the run; the page stays where it is. */
export function stop(): void {
  ending?.abort(stopped);
}
