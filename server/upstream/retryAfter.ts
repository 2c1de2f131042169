/**
 * Returns the seconds until the time in Retry-After, at least 0; the header is a number of seconds or a date (RFC 9110,
 * section 10.2.3). `now` in ms.
 */
export function secondsUntil(retryAfter: string, now: number): number {
  const seconds = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : Math.ceil((Date.parse(retryAfter) - now) / 1000);
  return seconds > 0 ? seconds : 0;
}
