import { onTestFinished } from 'vitest';

/** ms */
const every = 5;

/**
 * Measures how long nothing else could run. Node's own monitor does not see what happens before its timer has fired
 * once. On a busy machine other programs hold this one up as well: it has not stalled longer than it has worked.
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
    /** ms, since this was asked last. */
    longest() {
      look();
      const found = longest;
      longest = 0;
      return found;
    },
  };
}
