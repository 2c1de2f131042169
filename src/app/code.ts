import type { Problem } from '#contract/problem.ts';
import { chunk, chunkFailure, ChunkTimeout } from '#steps/kit/chunk.ts';

export const unreachable = 'The console’s server could not be reached';

/**
 * Loads a chunk of code that a call or its answer needs. Rejects with a Problem. A chunk that hangs is not requested
 * again automatically, because only a reload can help.
 */
export const code = <T>(load: () => Promise<T>): Promise<T> =>
  chunk(load).catch((error: Error) => {
    const hangs = error.cause instanceof ChunkTimeout;
    const problem: Problem = {
      type: 'about:blank',
      title: hangs ? chunkFailure : unreachable,
      status: 0,
      detail: hangs ? 'A part of the page did not arrive. Reload the page; what you typed is kept.' : error.message,
      code: hangs ? 'internal' : 'console-unreachable',
    };
    throw problem; // eslint-disable-line @typescript-eslint/only-throw-error -- ports reject with problems (machines/port.ts)
  });
