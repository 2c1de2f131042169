import { setTimeout as wait } from 'node:timers/promises';

/**
 * Resolves with what a check returns once it does not throw; after `timeout` (ms) rejects with its error. The limit is long
 * because on a busy machine other programs delay a test. Also without vitest.
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  { timeout = 20_000, interval = 20 }: { timeout?: number; interval?: number } = {},
): Promise<T> {
  const until = performance.now() + timeout;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > until) throw error;
      await wait(interval);
    }
  }
}
