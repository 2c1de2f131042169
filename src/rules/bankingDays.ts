/**
 * The days on which payment schemes process payments; docs/banking-days.md has the sources. A day is written YYYY-MM-DD. No
 * package is right for more than three of these schemes.
 */

/** What becomes of a holiday on a weekend: a Sunday's moves to Monday; either moves to the next free weekday; neither moves. */
type Move = 'sunday' | 'next' | 'never';

/** A fixed date as MM-DD; or the first weekday (0: Sunday) on or after one, so that [1, '05-25'] is the last Monday of May. */
type Rule = string | readonly [weekday: number, from: string];

export interface Scheme {
  name: string;
  /** The one currency that it processes. */
  currency: string;
  /** Matches the names of local instruments and file formats whose payments go through it. */
  means: RegExp;
  /** The days of the week without processing; 0 is Sunday. */
  closed: readonly number[];
  holidays: readonly Rule[];
  /** Holidays by their distance from Easter Sunday, in days. */
  easter: readonly number[];
  moves: Move;
  /** Holidays that do not move. */
  fixed?: readonly Rule[];
  /** Single days: those proclaimed for one year. */
  single: readonly string[];
  /** The last year for which single days were looked for. */
  checkedTo: number;
  /** Whether no document confirms the days to which holidays move. */
  unconfirmedMoves?: true;
}

const [sunday, monday, thursday, saturday] = [0, 1, 4, 6];
const weekend = [saturday, sunday];
const goodFriday = -2;
const easterMonday = 1;

export const schemes: readonly Scheme[] = [
  {
    name: 'Bacs',
    currency: 'GBP',
    means: /\bbacs\b/i,
    closed: weekend,
    // Those of Scotland or Northern Ireland alone do not count.
    holidays: ['01-01', [monday, '05-01'], [monday, '05-25'], [monday, '08-25'], '12-25', '12-26'],
    easter: [goodFriday, easterMonday],
    moves: 'next',
    single: [],
    checkedTo: 2028,
  },
  {
    name: 'FedACH',
    currency: 'USD',
    means: /\b(ach|nacha|fedach)\b/i,
    closed: weekend,
    holidays: [
      '01-01',
      '06-19',
      '07-04',
      '11-11',
      '12-25',
      [monday, '01-15'],
      [monday, '02-15'],
      [monday, '05-25'],
      [monday, '09-01'],
      [monday, '10-08'],
      [thursday, '11-22'],
    ],
    easter: [],
    // The Reserve Banks are open on the Friday before a holiday on Saturday.
    moves: 'sunday',
    single: [],
    checkedTo: 2028,
  },
  {
    // That direct entry (BECS) keeps the days of RITS is not confirmed.
    name: 'RITS',
    currency: 'AUD',
    means: /\b(direct entry|becs|aba)\b/i,
    closed: weekend,
    holidays: ['01-01', '01-26', [monday, '06-08'], '12-25', '12-26'],
    easter: [goodFriday, easterMonday],
    moves: 'next',
    // Anzac Day; New South Wales has an additional holiday instead, Victoria has not.
    fixed: ['04-25'],
    single: [],
    checkedTo: 2028,
  },
  {
    name: 'ACSS',
    currency: 'CAD',
    means: /\b(eft|tef|aft|cpa 005)\b/i,
    closed: weekend,
    holidays: [
      '01-01',
      '07-01',
      '09-30',
      '11-11',
      '12-25',
      '12-26',
      [monday, '05-18'],
      [monday, '09-01'],
      [monday, '10-08'],
    ],
    easter: [goodFriday],
    moves: 'next',
    single: [],
    checkedTo: 2028,
    unconfirmedMoves: true,
  },
  {
    name: 'EFT',
    currency: 'ZAR',
    means: /\b(eft|acb)\b/i,
    // Its windows are open on Saturdays, shorter than on weekdays.
    closed: [sunday],
    holidays: ['01-01', '03-21', '04-27', '05-01', '06-16', '08-09', '09-24', '12-16', '12-25', '12-26'],
    easter: [goodFriday, easterMonday],
    moves: 'sunday',
    single: [],
    // A day for the municipal elections that are due in 2026/27 is not confirmed.
    checkedTo: 2026,
  },
  {
    name: 'TARGET',
    currency: 'EUR',
    means: /^(?!.*\binstant)/i,
    closed: weekend,
    holidays: ['01-01', '05-01', '12-25', '12-26'],
    easter: [goodFriday, easterMonday],
    moves: 'never',
    single: [],
    checkedTo: 2028,
  },
];

/** The banking days of a payment whose scheme is not known: all but weekends. */
export const weekdaysOnly: Scheme = {
  name: 'Monday to Friday',
  currency: '',
  means: /(?!)/,
  closed: weekend,
  holidays: [],
  easter: [],
  moves: 'never',
  single: [],
  checkedTo: Infinity,
};

const millisecondsPerDay = 86_400_000;

const dateOf = (day: string): Date => new Date(`${day}T00:00:00Z`);
const weekdayOf = (day: string): number => dateOf(day).getUTCDay();
const later = (day: string, days: number): string =>
  new Date(dateOf(day).getTime() + days * millisecondsPerDay).toISOString().slice(0, 10);
const yearOf = (day: string): number => Number(day.slice(0, 4));

/** Easter Sunday of the Gregorian calendar (the anonymous algorithm of 1876, as in Meeus, Astronomical Algorithms, 8). */
function easterOf(year: number): string {
  const century = Math.floor(year / 100);
  const golden = year % 19;
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30;
  const beyond = (32 + 2 * (century % 4) + 2 * Math.floor((year % 100) / 4) - epact - (year % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * beyond) / 451);
  const month = Math.floor((epact + beyond - 7 * late + 114) / 31);
  const day = ((epact + beyond - 7 * late + 114) % 31) + 1;
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

function dayBy(rule: Rule, year: number): string {
  if (typeof rule === 'string') return `${year}-${rule}`;
  const [weekday, from] = rule;
  const first = `${year}-${from}`;
  return later(first, (weekday - weekdayOf(first) + 7) % 7);
}

/** Where the holidays of a year are kept: each day, with whether a holiday has moved there. */
function holidaysOf(scheme: Scheme, year: number): ReadonlyMap<string, { moved: boolean }> {
  const { holidays, easter, fixed = [], single, moves } = scheme;
  const sundayOfEaster = easterOf(year);
  const own = [...holidays.map((rule) => dayBy(rule, year)), ...easter.map((days) => later(sundayOfEaster, days))];
  const all = [...own, ...fixed.map((rule) => dayBy(rule, year)), ...single.filter((day) => yearOf(day) === year)];
  const kept = new Map(all.map((day) => [day, { moved: false }]));
  for (const day of own.sort()) {
    if (moves === 'sunday' && weekdayOf(day) === sunday && !kept.has(later(day, 1)))
      kept.set(later(day, 1), { moved: true });
    if (moves !== 'next' || !weekend.includes(weekdayOf(day))) continue;
    let to = day;
    while (weekend.includes(weekdayOf(to)) || kept.has(to)) to = later(to, 1);
    kept.set(to, { moved: true });
  }
  return kept;
}

/** Returns the weekdays of a year without processing, sorted; for a scheme with processing on Saturdays, those too. */
export const holidays = (scheme: Scheme, year: number): string[] =>
  [...holidaysOf(scheme, year).keys()].filter((day) => !scheme.closed.includes(weekdayOf(day))).sort();

export const isProcessingDay = (scheme: Scheme, day: string): boolean =>
  !scheme.closed.includes(weekdayOf(day)) && !holidaysOf(scheme, yearOf(day)).has(day);

/** Returns the first day on which a scheme processes payments, from this one on. */
export function nextProcessingDay(scheme: Scheme, day: string): string {
  let next = day;
  while (!isProcessingDay(scheme, next)) next = later(next, 1);
  return next;
}

/** Returns the day that is so many days after another one, of which a scheme processes payments; without a scheme, any days. */
export function processingDayAfter(scheme: Scheme | undefined, day: string, count: number): string {
  let at = day;
  for (let passed = 0; passed < count; passed += 1)
    at = scheme ? nextProcessingDay(scheme, later(at, 1)) : later(at, 1);
  return at;
}

/**
 * Returns the scheme of payments in a currency by what carries them: the name of a local instrument or file format.
 * Undefined if none of these schemes does, as for Faster Payments or cheques.
 */
export const schemeFor = (means: string, currency: string): Scheme | undefined =>
  means === '' ? undefined : schemes.find((each) => each.currency === currency && each.means.test(means));

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** A day in words: Tuesday 29 December. */
export const dayInWords = (day: string): string =>
  `${weekdays[weekdayOf(day)]} ${Number(day.slice(8))} ${months[Number(day.slice(5, 7)) - 1]}`;

/** What is to be said of an execution day: that the scheme does not process on it, or that its year was not checked. '' if nothing. */
export function dayNote(scheme: Scheme, day: string): string {
  const { name, checkedTo, unconfirmedMoves } = scheme;
  const next = nextProcessingDay(scheme, day);
  const closed =
    next === day ? '' : `${name} does not process on ${dayInWords(day)}. Its next day is ${dayInWords(next)}.`;
  const isMoved = holidaysOf(scheme, yearOf(day)).get(day)?.moved && !scheme.closed.includes(weekdayOf(day));
  const unsure = unconfirmedMoves && isMoved ? 'No document confirms this moved holiday.' : '';
  const unchecked =
    yearOf(next) > checkedTo
      ? `Single holidays of ${name} after ${checkedTo} are not known here: ${dayInWords(next)} ${yearOf(next)} may be one.`
      : '';
  return [closed, unsure, unchecked].filter(Boolean).join(' ');
}
