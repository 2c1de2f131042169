/** Time as an injected value (ms), in the shape that XState's clocks have too. */
export interface Clock {
  /** Since the epoch, by the machine's clock, which may be set meanwhile: for what is shown or agreed with others. */
  now(): number;
  /**
   * Since the epoch as the process found it at its start, going on whatever happens to the machine's clock: for
   * durations. What was stored with it may lie in the future after a restart; then nothing is known of its age.
   */
  steady(): number;
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(id: unknown): void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  steady: () => Math.floor(performance.timeOrigin + performance.now()),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (id) => clearTimeout(id as NodeJS.Timeout), // only ids that setTimeout above gave
};

export const iso = (ms: number): string => new Date(ms).toISOString();
