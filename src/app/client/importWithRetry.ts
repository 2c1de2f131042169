import { chunkLoadTimeout } from '#contract/constants.ts';

export const chunkFailure = 'Loading chunk failed';

/** Delay (ms) before a failed chunk is requested once more: connections break, and servers restart. */
const retryDelay = 1000;

const delayed = () => new Promise((resolve) => setTimeout(resolve, retryDelay));

/**
 * Loads a chunk of code. Rejects with 'Loading chunk failed' (behaviour, section 8) if `load` rejects twice or takes
 * longer than 120 s (behaviour, section 2); the error's `cause` says which.
 */
export async function importWithRetry<T>(load: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const late = new Error(`No response within ${chunkLoadTimeout / 1000} s`);
    timer = setTimeout(() => reject(late), chunkLoadTimeout);
  });
  try {
    return await Promise.race([load().catch(() => delayed().then(load)), timeout]);
  } catch (cause) {
    throw new Error(chunkFailure, { cause });
  } finally {
    clearTimeout(timer);
  }
}
