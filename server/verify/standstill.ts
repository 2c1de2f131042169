/** Interval (ms) at which it is looked whether something stands still, and the shortest time (ms) that counts. */
const [beat, least] = [100, 1000];

/**
 * The checks that a correct program can fail because the machine stood still: it is late, gives up, or is ended. What a
 * program pays twice, prints, sends or guesses, no standstill excuses.
 */
export const excusable: readonly string[] = [
  'request-token-reused',
  'request-token-renewed',
  'write-paid',
  'write-settled',
  'write-backoff',
  'write-retry-after',
  'webhook-answered',
  'webhook-unknown-type',
  'webhook-duplicate',
  'webhook-order',
  'webhook-bytes',
  'webhook-signatures',
  'reading-unknown-members',
  'reading-unknown-status',
  'reading-null-members',
  'reading-polls',
  'reading-file-link',
  'truth-ends',
];

/**
 * Measures from now on how long this process stood still, or one of the programs that `isStopped` looks at: only what lasted
 * a second or more. Returns what ends the measurement, with the sum in ms.
 */
export function watchStandstills(isStopped: () => boolean): () => number {
  let [total, stopped, last] = [0, 0, performance.now()];
  const look = () => {
    const now = performance.now();
    const [gap, since] = [now - last - beat, now - last];
    last = now;
    if (gap >= least) total += gap;
    stopped = isStopped() ? stopped + since : 0;
    // What began to stand still before this look goes on to count.
    if (stopped >= least) total += stopped - since >= least ? since : stopped;
  };
  const looking = setInterval(look, beat);
  return () => {
    look();
    clearInterval(looking);
    return total;
  };
}
