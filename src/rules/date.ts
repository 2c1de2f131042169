import type { Field } from './field.ts';
import { patternOf } from './pattern.ts';

/** The day that a user's calendar shows, as YYYY-MM-DD. */
export const localDay = (at: Date): string =>
  [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-');

/** Date formats with fixed positions. */
const formats = [
  { shape: /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)$/, write: 'year-month-day' },
  { shape: /^(?<day>\d\d)\/(?<month>\d\d)\/(?<year>\d{4})$/, write: 'day/month/year' },
  { shape: /^(?<month>\d\d)\/(?<day>\d\d)\/(?<year>\d{4})$/, write: 'month/day/year' },
  { shape: /^(?<day>\d\d)\.(?<month>\d\d)\.(?<year>\d{4})$/, write: 'day.month.year' },
  { shape: /^(?<day>\d\d)-(?<month>\d\d)-(?<year>\d{4})$/, write: 'day-month-year' },
] as const;
type Format = (typeof formats)[number];

/** Words of a field's name that ask for a day in the past or in the future. */
const otherDay = /birth|born|incorporat|establish|registration|issue|expir|until|end ?date/i;

/** A pattern with more states than this describes more than a date. */
const largest = 150;

/** Returns a YYYY-MM-DD day in another format. */
function written(day: string, { write }: Format): string {
  const [year = '', month = '', date = ''] = day.split('-');
  return write.replace('year', year).replace('month', month).replace('day', date);
}

/** Returns whether the text is a calendar date in this format. */
function reads(text: string, { shape }: Format): boolean {
  const { year = '', month = '', day = '' } = shape.exec(text)?.groups ?? {};
  const iso = `${year}-${month}-${day}`;
  const time = Date.parse(`${iso}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(iso);
}

/** Returns whether the text is a calendar date, written YYYY-MM-DD. */
export const isDay = (text: string): boolean => reads(text, formats[0]);

/** Returns the one format that fits the rule's example and pattern, undefined if none or several fit. */
function formatOf({ example, regex }: Field): Format | undefined {
  if (example === '' && regex === '') return undefined;
  const { test, size = 0 } = patternOf(regex);
  if (size > largest) return undefined;
  const takes = (text: string) => regex === '' || test === undefined || test(text);
  // 31 December reads as no other day in another format.
  const left = formats.filter(
    (format) => (example === '' || reads(example, format)) && takes(written('2026-12-31', format)),
  );
  const [only] = left;
  return left.length === 1 && (example !== '' || test !== undefined) ? only : undefined;
}

/**
 * Returns today's date in the format that the field's rule asks for. Returns '' if the field asks for no date, if the
 * format is ambiguous, and if the name asks for another day, such as a date of birth. `today` is YYYY-MM-DD.
 */
export function todayFor(field: Field, today: string): string {
  if (otherDay.test(`${field.id} ${field.label}`)) return '';
  const format = formatOf(field);
  const value = format ? written(today, format) : '';
  return patternOf(field.regex).test?.(value) === false ? '' : value;
}
