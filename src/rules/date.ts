import { isDay } from '#contract/day.ts';
import { patternOf } from './pattern.ts';
import type { Budget } from './regex/walk.ts';

/** The user's local day as YYYY-MM-DD. */
export const localDay = (at: Date): string =>
  [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-');

/** What tells whether a field expects a date. */
interface Dated {
  id: string;
  label: string;
  example: string;
  regex: string;
}

/** Date formats with fixed positions. */
const formats = [
  { shape: /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)$/, write: 'year-month-day' },
  { shape: /^(?<day>\d\d)\/(?<month>\d\d)\/(?<year>\d{4})$/, write: 'day/month/year' },
  { shape: /^(?<month>\d\d)\/(?<day>\d\d)\/(?<year>\d{4})$/, write: 'month/day/year' },
  { shape: /^(?<day>\d\d)\.(?<month>\d\d)\.(?<year>\d{4})$/, write: 'day.month.year' },
  { shape: /^(?<day>\d\d)-(?<month>\d\d)-(?<year>\d{4})$/, write: 'day-month-year' },
] as const;
type Format = (typeof formats)[number];

/** Matches names of fields that expect a day other than today. */
const otherDay = /birth|born|incorporat|establish|registration|issue|expir|until|end ?date/i;

/** A pattern with more states describes more than a date. */
const largest = 150;

/** Converts a YYYY-MM-DD day to another format. */
function written(day: string, { write }: Format): string {
  const [year = '', month = '', date = ''] = day.split('-');
  return write.replace('year', year).replace('month', month).replace('day', date);
}

/** Returns whether the text is a calendar date in this format. */
function reads(text: string, { shape }: Format): boolean {
  const { year = '', month = '', day = '' } = shape.exec(text)?.groups ?? {};
  return isDay(`${year}-${month}-${day}`);
}

/** Returns the one format that fits the rule's example and pattern, undefined if none or several fit. */
function formatOf({ example, regex }: Dated, budget?: Budget): Format | undefined {
  if (example === '' && regex === '') return undefined;
  const { test, size = 0 } = patternOf(regex);
  if (size > largest) return undefined;
  const takes = (text: string) => regex === '' || test?.(text, budget) !== false;
  // 31 December cannot be read as another day in another format.
  const left = formats.filter(
    (format) => (example === '' || reads(example, format)) && takes(written('2026-12-31', format)),
  );
  const [only] = left;
  return left.length === 1 && (example !== '' || test !== undefined) ? only : undefined;
}

/**
 * Returns today's date in the format that the field's rule expects; '' if the field expects no date, if the format is
 * ambiguous, or if its name asks for another day, such as a date of birth. `today` is YYYY-MM-DD.
 */
export function todayFor(field: Dated, today: string, budget?: Budget): string {
  if (otherDay.test(`${field.id} ${field.label}`)) return '';
  const format = formatOf(field, budget);
  const value = format ? written(today, format) : '';
  return patternOf(field.regex).test?.(value, budget) === false ? '' : value;
}
