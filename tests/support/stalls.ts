import { onTestFinished } from 'vitest';

/** Sampling interval in ms. */
const every = 5;

/**
 * Measures the longest time for which the event loop was blocked. Node's own monitor misses blocks before its timer
 * first fires. A block counts for at most the CPU time used, because on a busy machine other programs delay this one as
 * well.
 */
export function watchStalls(): { longest: () => number } {
  let [last, work, longest] = [performance.now(), process.cpuUsage(), 0];
  function look(): void {
    const { user, system } = process.cpuUsage(work);
    const now = performance.now();
    longest = Math.max(longest, Math.min(now - last - every, (user + system) / 1000));
    [last, work] = [now, process.cpuUsage()];
  }
  const timer = setInterval(look, every);
  onTestFinished(() => clearInterval(timer));
  return {
    /** The longest block (ms) since the last call. */
    longest() {
      look();
      const found = longest;
      longest = 0;
      return found;
    },
  };
}
