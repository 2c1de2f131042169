/** How far (ms) the clock of the console's server is ahead of the browser's. */
let ahead = 0;

/** Maximum difference (ms) that is no wrong clock: a `Date` has whole seconds, and an answer takes its time. */
const tolerance = 5000;

/** Sets the clock by the `Date` header of an answer of the server. A text that is no time is ignored. */
export function learnTime(header: unknown): void {
  const difference = Date.parse(String(header)) - Date.now();
  if (Math.abs(difference - ahead) > tolerance) ahead = Math.abs(difference) > tolerance ? difference : 0;
}

/**
 * The current time (ms since the epoch) by the server's clock, to which the times of records are compared: a browser's
 * clock may be wrong by hours.
 */
export const serverNow = (): number => Date.now() + ahead;

/** The same as ISO 8601. */
export const serverTime = (): string => new Date(serverNow()).toISOString();
