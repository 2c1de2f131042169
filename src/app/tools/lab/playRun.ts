import type { Told, Walker, Hands } from '#runner/runJourney.ts';
import type { Visit, Walk } from '#runner/actions.ts';
import { createWalker } from '#runner/runJourney.ts';
import type { ConsoleActor } from '#app/console/consoleActor.ts';
import { pause } from './pause.ts';
import { savePlaying, type Playing } from '#app/console/runStorage.ts';

const stopped = new Error('The run was stopped');

/** Aborts the run in progress in this page; there is at most one. */
let ending: AbortController | null = null;

/** Whether the stored run is in progress in this page, and not left over from before a reload. */
export const isUnderWay = (): boolean => ending !== null;

/** Opens an address of the console. */
export type Go = (address: string) => void;

/** A run in progress. */
interface Run {
  /** Stores its state. */
  now: (change: Partial<Playing>) => void;
  signal: AbortSignal;
}

/** Runs after stopping the run in progress; `run` resolves to why it failed, '' if it did not. */
export async function perform(begun: Playing, run: (run: Run) => Promise<string>): Promise<void> {
  stop();
  const mine = new AbortController();
  ending = mine;
  let playing = begun;
  const now = (change: Partial<Playing>) => {
    playing = { ...playing, ...change };
    if (ending === mine) savePlaying(playing);
  };
  now({});
  try {
    const because = await run({ now, signal: mine.signal });
    if (mine.signal.aborted) now({ state: 'stopped', says: '' });
    else now({ state: because ? 'failed' : 'done', says: because });
  } catch (error) {
    now({ state: 'stopped', says: mine.signal.aborted ? '' : String(error) });
  } finally {
    if (ending === mine) ending = null;
  }
}

/** Walks journeys with the page's own machine; `hands` supplies what else the walker needs. */
export async function walkInPage<T>(
  actor: ConsoleActor,
  go: Go,
  hands: Pick<Hands, 'patient' | 'visit'> & { tell: (told: Told) => void },
  signal: AbortSignal,
  walk: (walker: Walker) => Promise<T>,
): Promise<T> {
  const walker = createWalker(actor, { go, pause, now: () => performance.now(), ...hands }, signal);
  try {
    return await walk(walker);
  } finally {
    walker.stop();
  }
}

/**
 * Runs journeys in the page, starting with index `from`: opens their addresses one after the other, fills in their
 * forms and submits them. On a provider's page, the user decides; a login leaves the page, and the run can be continued
 * afterwards.
 */
export async function play(actor: ConsoleActor, go: Go, walks: readonly Walk[], from = 0): Promise<void> {
  let at = from - 1;
  await perform({ walks, at: from, state: 'running', says: '' }, async ({ now, signal }) => {
    // The page is about to be left, and the run can only be stopped.
    const away = () => new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(stopped)));
    const hands = {
      patient: true,
      visit({ page }: Visit) {
        if (page === 'login') now({ says: 'Log in, then continue here' });
        if (page === 'authorise') now({ says: 'Decide on the provider’s page' });
        return page === 'login' ? away() : Promise.resolve();
      },
      tell(told: Told) {
        if ('begins' in told) now({ at: (at += 1), says: '' });
      },
    };
    const walked = await walkInPage(actor, go, hands, signal, (walker) => walker.all(walks.slice(from)));
    return walked.find(({ end }) => end === 'failed')?.because ?? '';
  });
}

/** Stops the run without leaving the page. */
export function stop(): void {
  ending?.abort(stopped);
}
