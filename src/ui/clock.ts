/** Lead (ms) of the server's clock over the browser's. */
let ahead = 0;

/** Maximum difference (ms) that is ignored: the `Date` header has whole seconds, and a response takes time. */
const tolerance = 5000;

/** Sets the clock from the `Date` header of a response from the server. Ignores an invalid time. */
export function learnTime(header: unknown): void {
  const difference = Date.parse(String(header)) - Date.now();
  if (Math.abs(difference - ahead) > tolerance) ahead = Math.abs(difference) > tolerance ? difference : 0;
}

/**
 * The current time (ms since the epoch) by the server's clock, with which times of records are compared: a browser's
 * clock may be wrong by hours.
 */
export const serverNow = (): number => Date.now() + ahead;

/** The current time by the server's clock, as ISO 8601. */
export const serverTime = (): string => new Date(serverNow()).toISOString();
