/** Maximum time to wait (s) that is taken over from the service; a longer one may be a mistake. */
const longest = 24 * 60 * 60;

/**
 * Returns the seconds until the time in Retry-After, from 0 to a day; the header is a number of seconds or a date (RFC
 * 9110, section 10.2.3). `now` in ms.
 */
export function secondsUntil(retryAfter: string, now: number): number {
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : Math.ceil((Date.parse(retryAfter) - now) / 1000);
  return seconds > 0 ? Math.min(seconds, longest) : 0;
}
