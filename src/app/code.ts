import type { Problem } from '#contract/problem.ts';
import { chunk } from '#steps/kit/chunk.ts';

export const unreachable = 'The console’s server could not be reached';

/** Loads a chunk of code that a call or its answer needs. Rejects with a Problem. */
export const code = <T>(load: () => Promise<T>): Promise<T> =>
  chunk(load).catch((error: Error) => {
    const problem: Problem = {
      type: 'about:blank',
      title: unreachable,
      status: 0,
      detail: error.message,
      code: 'console-unreachable',
    };
    throw problem; // eslint-disable-line @typescript-eslint/only-throw-error -- ports reject with problems (machines/port.ts)
  });
