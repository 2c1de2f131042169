import { chunkLoadTimeout } from '#contract/constants.ts';

export const chunkFailure = 'Loading chunk failed';

/** The cause of a failure to load: nothing arrived in time. A further `import()` of that chunk waits for the same response. */
export class ChunkTimeout extends Error {
  override name = 'ChunkTimeout';
}

/** Delay (ms) before a failed chunk is requested once more: connections break, and servers restart. */
const pause = 1000;

const paused = () => new Promise((resolve) => setTimeout(resolve, pause));

/**
 * Loads a chunk of code. Rejects with 'Loading chunk failed' (behaviour, section 8) if `load` rejects twice or takes
 * longer than 120 s (behaviour, section 2); the error's `cause` says which.
 */
export async function chunk<T>(load: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new ChunkTimeout(`No answer within ${chunkLoadTimeout / 1000} s`)),
      chunkLoadTimeout,
    );
  });
  try {
    return await Promise.race([load().catch(() => paused().then(load)), tooLate]);
  } catch (cause) {
    throw new Error(chunkFailure, { cause });
  } finally {
    clearTimeout(timer);
  }
}
