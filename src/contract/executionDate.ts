import { isDay } from './day.ts';

/**
 * The rule for the execution date of a batch, for page, console, sandbox and files: a time in UTC, on a day that is not
 * over and at most a year away.
 */

/** Matches a time in UTC, as the regex of a rule; see also `isExecutionDate`. */
export const executionDatePattern = String.raw`^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,3})?Z$`;

/** What an execution date looks like, as part of a sentence. */
export const executionDateShape = 'a date and time in UTC such as 2026-11-20T00:00:00Z';

const pattern = new RegExp(executionDatePattern);

/** The day of an execution date, as YYYY-MM-DD. */
export const dayOf = (executionDate: string): string => executionDate.slice(0, 10);

export const isExecutionDate = (text: string): boolean => pattern.test(text) && isDay(dayOf(text));

/** The first and the last day on which a batch can be executed. */
export interface Days {
  first: string;
  last: string;
}

const hour = 60 * 60_000;
const dayAt = (time: number): string => dayOf(new Date(time).toISOString());

/** The same day of the next year; 1 March for 29 February. */
function yearAfter(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCFullYear(date.getUTCFullYear() + 1);
  return dayOf(date.toISOString());
}

/** The days from today in the sender's time zone. */
export const daysFrom = (today: string): Days => ({ first: today, last: yearAfter(today) });

/**
 * The days that are possible for a sender whose time zone is unknown. The sender gives a local date (decision 2), which
 * is up to 12 hours behind UTC and 14 ahead.
 */
export const daysAnywhere = (now: number): Days => ({
  first: dayAt(now - 12 * hour),
  last: yearAfter(dayAt(now + 14 * hour)),
});

/** Returns why a batch cannot be executed on a day, in one sentence; '' if it can. */
export function dayFlaw(day: string, { first, last }: Days): string {
  if (day < first) return `${day} is in the past: the first day that can be chosen is ${first}`;
  return day > last ? `${day} is more than a year away: the last day that can be chosen is ${last}` : '';
}
