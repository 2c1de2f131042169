/** Time as an injected value (ms; `now` since the epoch), in the shape that XState's clocks have too. */
export interface Clock {
  now(): number;
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(id: unknown): void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (id) => clearTimeout(id as NodeJS.Timeout), // only ids that setTimeout above gave
};

export const iso = (ms: number): string => new Date(ms).toISOString();
