/** An injected clock (ms), with the interface of XState's clocks. */
export interface Clock {
  /** Time since the epoch by the system clock, which may be set at any time. For times that are shown or exchanged. */
  now(): number;
  /**
   * Monotonic time: the system time at the start of the process plus the time elapsed since. For durations. After a
   * restart, a stored value may lie in the future; its age is then unknown.
   */
  steady(): number;
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(id: unknown): void;
}

const { timeOrigin } = performance;

export const systemClock: Clock = {
  now: () => Date.now(),
  steady: () => Math.floor(timeOrigin + performance.now()),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (id) => clearTimeout(id as NodeJS.Timeout), // ids returned by setTimeout above
};

/** Resolves after `ms` of a clock's time. */
export const pause = (clock: Pick<Clock, 'setTimeout'>, ms: number): Promise<void> =>
  new Promise((resolve) => void clock.setTimeout(resolve, ms));

/** A clock that runs at the rate of one clock and is set to the time of another. */
export interface FollowingClock extends Clock {
  /** Sets the time: `offset` (ms) is how far the other clock is ahead. Steady time is set only by the first call. */
  follow(offset: number): void;
}

export function followingClock(clock: Clock): FollowingClock {
  let ahead = 0;
  let steadyAhead: number | undefined;
  return {
    setTimeout: (run, ms) => clock.setTimeout(run, ms),
    clearTimeout: (id) => clock.clearTimeout(id),
    now: () => clock.now() + ahead,
    steady: () => clock.steady() + (steadyAhead ?? 0),
    follow(offset) {
      ahead = offset;
      steadyAhead ??= offset;
    },
  };
}

export const iso = (ms: number): string => new Date(ms).toISOString();
