import type { JourneyId } from '#machines/journeys.ts';
import { subjectHeader } from '#contract/constants.ts';
import { publishRecordEvent } from '#app/client/recordEvents.ts';
import { labNews } from '#contract/constants.ts';
import { subject } from '#app/client/user.ts';

/** What the page asks of the worker. */
export type Asked =
  | { scenario: string; origin: string; headers: Readonly<Record<string, string>> }
  /** Ends early: what it has set is taken back nevertheless. */
  | 'stop';

/** What the worker reports: each journey, then once that it has ended, with why it failed, or the error that ended it. */
export type Reported = { begins: JourneyId } | { because: string } | { error: string };

/**
 * Rehearses a scenario in a worker, which has the page's machine and effects but no page. Resolves to why it failed, ''
 * if it did not; after an abort once all is as before.
 */
export function rehearseInBackground(
  scenario: string,
  onJourney: (journey: JourneyId) => void,
  signal: AbortSignal,
): Promise<string> {
  const worker = new Worker(new URL('./rehearsal.worker.ts', import.meta.url), { type: 'module' });
  const ask = (asked: Asked) => worker.postMessage(asked);
  const headers = subject() ? { [subjectHeader]: subject() } : {};
  return new Promise<string>((resolve, reject) => {
    worker.addEventListener('error', ({ message }) =>
      reject(new Error(message || 'The rehearsal could not be loaded')),
    );
    worker.addEventListener('message', ({ data }: MessageEvent<Reported>) => {
      if ('begins' in data) onJourney(data.begins);
      else if ('because' in data) resolve(data.because);
      else reject(new Error(data.error));
    });
    signal.addEventListener('abort', () => ask('stop'));
    ask({ scenario, origin: location.origin, headers });
  }).finally(() => {
    worker.terminate();
    publishRecordEvent(labNews);
  });
}
