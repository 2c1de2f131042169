import type { Clock } from '#server/clock.ts';

/**
 * The clock of the payments service's host that takes payments, as its answers show it. The service forgets idempotency
 * keys by its own clock, which may run or be set differently from the console's.
 */
export interface ServiceClock {
  /**
   * Notes the time that the headers of an answer show (`shownTime`). The answer took `ms`, within which the service may
   * have written it. One of a cache can show a later time, but not that the clock was set back.
   */
  observe(headers: TimeHeaders, ms: number): void;
  /** The service's time (ms); undefined until an answer has shown it. */
  now(): number | undefined;
  /** How long ago (ms) the service's clock was seen to be set back; Infinity if it never was. */
  sinceSetBack(): number;
}

/** The headers of an answer that show a time, by lower-case name. */
type TimeHeaders = Readonly<Partial<Record<'date' | 'age', string>>>;

/** A date as HTTP writes it (RFC 9110, section 5.6.7); Date.parse alone also reads `5`. */
const httpDate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Maximum Age (s) that is believed; a longer one may be a mistake. */
const maximumAge = 24 * 60 * 60;

/** Whether an answer comes from a cache, by its header Age (RFC 9111, section 5.1); '' if it has none. */
export const isOfCache = (age: string): boolean => !/^[\s0,]*$/.test(age);

/**
 * Returns the time (ms) of the service when an answer arrived: its Date, which a cache passes on as it was, plus its Age
 * (RFC 9111, section 4.2.3). Of several ages the first counts, and one that is no number of seconds up to a day is 0.
 * Returns undefined if Date is missing, doubled, or not a date of HTTP.
 */
export function shownTime({ date = '', age = '' }: TimeHeaders): number | undefined {
  const written = httpDate.test(date) ? Date.parse(date) : NaN;
  if (Number.isNaN(written)) return undefined;
  const [seconds] = /^\d+(?=\s*(?:,|$))/.exec(age.trim()) ?? [];
  return written + (Number(seconds) <= maximumAge ? Number(seconds) * 1000 : 0);
}

/** Difference (ms) by which answers of several hosts may seem to go back. */
const tolerance = 30_000;

/** Creates the clock of one service; `clock` measures the time since its last answer. */
export function createServiceClock({ steady }: Pick<Clock, 'steady'>): ServiceClock {
  let latest: { date: number; at: number } | undefined;
  let setBackAt = -Infinity;
  const now = () => latest && latest.date + Math.max(0, steady() - latest.at);
  return {
    observe(headers, ms) {
      const date = shownTime(headers);
      if (date === undefined) return;
      const isOlder = latest !== undefined && date < latest.date;
      // Caches count ages by their own clocks, and not all of them do.
      if (isOfCache(headers.age ?? '') && date < (now() ?? -Infinity)) return;
      // A slow answer may have been written before one that overtook it.
      if (latest && date < latest.date - tolerance - ms) setBackAt = steady();
      else if (isOlder && ms > tolerance) return;
      latest = { date, at: steady() };
    },
    now,
    sinceSetBack: () => steady() - setBackAt,
  };
}
