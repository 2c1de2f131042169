import type { Told, Walker, Hands } from '#walk/walk.ts';
import type { Walk } from '#walk/file.ts';
import { createWalker } from '#walk/walk.ts';
import type { ConsoleActor } from '../running.ts';
import { pause } from './pause.ts';
import { keepPlaying, type Playing } from './slot.ts';

const stopped = new Error('The run was stopped');

/** Ends the run under way in this page; there is one at most. */
let ending: AbortController | null = null;

/** Whether the run that is kept goes on in this page, and not only was when it was loaded. */
export const isUnderWay = (): boolean => ending !== null;

/** Opens an address of the console. */
export type Go = (address: string) => void;

/** A run that has begun. */
interface Run {
  /** Keeps how it stands. */
  now: (change: Partial<Playing>) => void;
  signal: AbortSignal;
  /** Never resolves: the page is left for good, and the run can only be stopped. */
  away: () => Promise<never>;
}

/**
 * Walks journeys in the page, after stopping what is walked there. `hands` make what the walk needs of the run; `walk`
 * resolves to why it has failed, '' if it has not.
 */
export async function perform(
  actor: ConsoleActor,
  go: Go,
  begun: Playing,
  hands: (run: Run) => Pick<Hands, 'patient' | 'visit'> & { tell: (told: Told) => void },
  walk: (walker: Walker) => Promise<string>,
): Promise<void> {
  stop();
  const mine = new AbortController();
  ending = mine;
  let playing = begun;
  const now = (change: Partial<Playing>) => {
    playing = { ...playing, ...change };
    if (ending === mine) keepPlaying(playing);
  };
  now({});
  const away = () => new Promise<never>((_, reject) => mine.signal.addEventListener('abort', () => reject(stopped)));
  const walker = createWalker(
    actor,
    { go, pause, now: () => performance.now(), ...hands({ now, signal: mine.signal, away }) },
    mine.signal,
  );
  try {
    const because = await walk(walker);
    if (mine.signal.aborted) now({ state: 'stopped', says: '' });
    else now({ state: because ? 'failed' : 'done', says: because });
  } catch (error) {
    now({ state: 'stopped', says: mine.signal.aborted ? '' : String(error) });
  } finally {
    walker.stop();
    if (ending === mine) ending = null;
  }
}

/**
 * Runs journeys in the page, from the one with the index `from`: its addresses are opened one after the other, its forms
 * filled in and sent. A provider's page is its user's to decide on; a login leads away from the page, and the run is gone
 * on with afterwards.
 */
export async function play(actor: ConsoleActor, go: Go, walks: readonly Walk[], from = 0): Promise<void> {
  let at = from - 1;
  await perform(
    actor,
    go,
    { walks, at: from, state: 'running', says: '' },
    ({ now, away }) => ({
      patient: true,
      visit({ page }) {
        if (page === 'login') now({ says: 'Log in, then go on here' });
        if (page === 'authorise') now({ says: 'Decide on the provider’s page' });
        return page === 'login' ? away() : Promise.resolve();
      },
      tell(told) {
        if ('begins' in told) now({ at: (at += 1), says: '' });
      },
    }),
    async (walker) => (await walker.all(walks.slice(from))).find(({ end }) => end === 'failed')?.because ?? '',
  );
}

/** Stops the run; the page stays where it is. */
export function stop(): void {
  ending?.abort(stopped);
}
