import { locale } from '#contract/constants.ts';

/**
 * Absolute times in the page's language, in the user's time zone unless a format says UTC. Formats are created on first use, because that takes milliseconds,
 * and kept, because Date.toLocaleString would create one for each time.
 */
const formats = {
  /** 24 hours, so that the digits of a column line up. */
  clock: { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
  milliseconds: { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, hourCycle: 'h23' },
  day: { day: '2-digit', month: '2-digit' },
  moment: { dateStyle: 'medium', timeStyle: 'medium' },
  date: { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' },
  weekday: { weekday: 'long', day: 'numeric', month: 'long' },
  hour: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  minute: { dateStyle: 'medium', timeStyle: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const created: Partial<Record<keyof typeof formats, Intl.DateTimeFormat>> = {};

const text = (name: keyof typeof formats, date: Date): string =>
  (created[name] ??= new Intl.DateTimeFormat(locale, formats[name])).format(date);

/** The time of day to the second: `18:42:09`. */
export const clockTime = (date: Date): string => text('clock', date);

/** The time of day to the millisecond: `18:42:09.112`. */
export const preciseTime = (date: Date): string => text('milliseconds', date);

/** The time of day to the minute: `18:42`. */
export const clockMinute = (date: Date): string => text('hour', date);

/** The day without its year: `21/11`. */
export const dayOfYear = (date: Date): string => text('day', date);

/** The day in UTC: `26 November 2026 (UTC)`. */
export const dayText = (date: Date): string => `${text('date', date)} (UTC)`;

/** The day of a week with its date: `Monday 23 November`. */
export const weekdayText = (date: Date): string => text('weekday', date);

/** Date and time to the minute: `21 Nov 2026, 18:42`. */
export const minuteText = (date: Date): string => text('minute', date);

/** Date and time. */
const localMoment = (date: Date): string => text('moment', date);

/** Both UTC and local time, each named, for a tooltip. */
export const namedMoment = (date: Date): string => `${date.toISOString()} (UTC), ${localMoment(date)} (local)`;
