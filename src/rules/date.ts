import type { Field } from './field.ts';
import { patternOf } from './pattern.ts';

/** The day that a user's calendar shows, as YYYY-MM-DD. */
export const localDay = (at: Date): string =>
  [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-');

/** Ways of writing a day of which each part has its place. */
const writings = [
  { shape: /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)$/, write: 'year-month-day' },
  { shape: /^(?<day>\d\d)\/(?<month>\d\d)\/(?<year>\d{4})$/, write: 'day/month/year' },
  { shape: /^(?<month>\d\d)\/(?<day>\d\d)\/(?<year>\d{4})$/, write: 'month/day/year' },
  { shape: /^(?<day>\d\d)\.(?<month>\d\d)\.(?<year>\d{4})$/, write: 'day.month.year' },
  { shape: /^(?<day>\d\d)-(?<month>\d\d)-(?<year>\d{4})$/, write: 'day-month-year' },
] as const;
type Writing = (typeof writings)[number];

/** Days that are not today's by what they are called: in the past or in the future. */
const otherDay = /birth|born|incorporat|establish|registration|issue|expir|until|end ?date/i;

/** A larger pattern, in states, asks for more than a day. */
const largest = 150;

/** A day as YYYY-MM-DD, written another way. */
function written(day: string, { write }: Writing): string {
  const [year = '', month = '', date = ''] = day.split('-');
  return write.replace('year', year).replace('month', month).replace('day', date);
}

/** Whether a text is a day of the calendar in this writing. */
function reads(text: string, { shape }: Writing): boolean {
  const { year = '', month = '', day = '' } = shape.exec(text)?.groups ?? {};
  const iso = `${year}-${month}-${day}`;
  const time = Date.parse(`${iso}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(iso);
}

/** The one writing that the rule's example and pattern leave; undefined if none or several. */
function writingOf({ example, regex }: Field): Writing | undefined {
  if (example === '' && regex === '') return undefined;
  const { test, size = 0 } = patternOf(regex);
  if (size > largest) return undefined;
  const takes = (text: string) => regex === '' || test === undefined || test(text);
  // Of the last day of a year no other writing can be read.
  const left = writings.filter(
    (writing) => (example === '' || reads(example, writing)) && takes(written('2026-12-31', writing)),
  );
  const [only] = left;
  return left.length === 1 && (example !== '' || test !== undefined) ? only : undefined;
}

/**
 * Today's date for a field that asks for a day, as its rule wants it written; '' for any other field, where the writing
 * is not certain, and where the name speaks of another day, such as that of a birth. `today` is a YYYY-MM-DD text.
 */
export function todayFor(field: Field, today: string): string {
  if (otherDay.test(`${field.id} ${field.label}`)) return '';
  const writing = writingOf(field);
  const value = writing ? written(today, writing) : '';
  return patternOf(field.regex).test?.(value) === false ? '' : value;
}
