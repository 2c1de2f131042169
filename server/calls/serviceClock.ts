import type { Clock } from '#server/clock.ts';

/**
 * The clock of the payments service's host that takes payments, as its answers show it. The service forgets idempotency
 * keys by its own clock, which may run or be set differently from the console's.
 */
export interface ServiceClock {
  /**
   * Notes the time that the headers of an answer show (`shownTime`). The answer took `ms`, within which the service may
   * have written it; `mayBeKept` says that a cache may have kept it, although it has no Age. One of a cache can show a
   * later time, but not that the clock was set back.
   */
  observe(headers: TimeHeaders, ms: number, mayBeKept?: boolean): void;
  /** The service's time (ms); undefined until an answer has shown it. */
  now(): number | undefined;
  /** How long ago (ms) the service's clock was seen to be set back; Infinity if it never was. */
  sinceSetBack(): number;
}

/** The headers of an answer that show a time, by lower-case name. */
type TimeHeaders = Readonly<Partial<Record<'date' | 'age', string>>>;

/** One time of a day with its zone, in the forms of HTTP (RFC 9110, section 5.6.7), mail and ISO 8601. */
const zoned = /^[^:]+\d[T ]\d\d:\d\d:\d\d(?:\.\d+)? ?(?:GMT|UTC|Z|[+-]\d\d:?\d\d)$/i;
/** The form of C's asctime, which is of UTC in HTTP. */
const asctime = /^\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;
/** What a date begins with: a year, or a day after its name. Date.parse alone also reads `5`. */
const dated = /^(?:\d{4}-\d\d-\d\d|(?:[a-z]{3,9}, ?)?\d{1,2}[- ][a-z]{3}[- ]\d{2,4}|[a-z]{3} [a-z]{3} )/i;

/** Returns the time (ms) of a date in a header; NaN if it is none. */
function readDate(date: string): number {
  if (!dated.test(date)) return NaN;
  if (asctime.test(date)) return Date.parse(`${date} GMT`);
  return zoned.test(date) ? Date.parse(date) : NaN;
}

/** Maximum Age (s) that is believed; a longer one may be a mistake. */
const maximumAge = 24 * 60 * 60;

/** Whether an answer comes from a cache, by its header Age (RFC 9111, section 5.1); '' if it has none. */
const isOfCache = (age: string): boolean => !/^[\s0,]*$/.test(age);

/** Returns the Age (ms) of an answer: of several the first counts, and one that is no number of seconds up to a day is 0. */
function ageOf(age: string): number {
  const [seconds] = /^\d+(?=\s*(?:,|$))/.exec(age.trim()) ?? [];
  return Number(seconds) <= maximumAge ? Number(seconds) * 1000 : 0;
}

/**
 * Returns the time (ms) of the service when an answer arrived: its Date, which a cache passes on as it was, plus its Age
 * (RFC 9111, section 4.2.3). Returns undefined if Date is missing, doubled, or no date.
 */
export function shownTime({ date = '', age = '' }: TimeHeaders): number | undefined {
  const written = readDate(date.trim());
  return Number.isNaN(written) ? undefined : written + ageOf(age);
}

/** Difference (ms) by which answers of several hosts may seem to go back. */
const tolerance = 30_000;

/**
 * Creates the clock of one service; `clock` measures the time since its last answer. An answer of a cache shows two times,
 * between which the service's is: its Date, which the cache may have written itself, and that plus its Age.
 */
export function createServiceClock({ steady }: Pick<Clock, 'steady'>): ServiceClock {
  let latest: { earliest: number; date: number; at: number } | undefined;
  let setBackAt = -Infinity;
  const now = () => latest && latest.date + Math.max(0, steady() - latest.at);
  return {
    observe(headers, ms, mayBeKept = false) {
      const date = shownTime(headers);
      if (date === undefined) return;
      const { age = '' } = headers;
      const seen = { earliest: date - ageOf(age), date, at: steady() };
      const known = now();
      if (latest === undefined || known === undefined) latest = seen;
      else if (mayBeKept || isOfCache(age)) {
        // Caches count ages by their own clocks, and not all of them do.
        const isEstimate = latest.earliest < latest.date;
        if (seen.earliest > known + tolerance || (isEstimate && date > known)) latest = seen;
      }
      // A slow answer may have been written before one that overtook it.
      else {
        const { earliest } = latest;
        if (date < earliest - tolerance - ms) setBackAt = steady();
        else if (date < earliest && ms > tolerance) return;
        latest = seen;
      }
    },
    now,
    sinceSetBack: () => steady() - setBackAt,
  };
}
