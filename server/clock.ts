/** An injected clock (ms), in the shape that XState's clocks have too. */
export interface Clock {
  /** Since the epoch, by the machine's clock, which may be set at any time. For what is shown or agreed with others. */
  now(): number;
  /**
   * Monotonic: the time at the start of the process plus what has passed since. For durations. A stored value may lie
   * in the future after a restart; then its age is unknown.
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
