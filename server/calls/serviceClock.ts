import type { Clock } from '#server/clock.ts';

/**
 * The clock of the payments service's host that takes payments, as the Date of its answers shows it. The service forgets idempotency keys by its own
 * clock, which may run or be set differently from the console's.
 */
export interface ServiceClock {
  /**
   * Notes the Date of an answer that took `ms`, within which the service may have written it. One that is missing, or not a
   * date of HTTP, says nothing.
   */
  observe(date: string | undefined, ms: number): void;
  /** The service's time (ms); undefined until an answer has shown it. */
  now(): number | undefined;
  /** How long ago (ms) the service's clock was seen to be set back; Infinity if it never was. */
  sinceSetBack(): number;
}

/** A date as HTTP writes it (RFC 9110, section 5.6.7); Date.parse alone also reads `5`. */
const httpDate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Difference (ms) by which answers of several hosts may seem to go back. */
const tolerance = 30_000;

/** Creates the clock of one service; `clock` measures the time since its last answer. */
export function createServiceClock({ steady }: Pick<Clock, 'steady'>): ServiceClock {
  let latest: { date: number; at: number } | undefined;
  let setBackAt = -Infinity;
  return {
    observe(text = '', ms) {
      const date = httpDate.test(text) ? Date.parse(text) : NaN;
      if (Number.isNaN(date)) return;
      const isOlder = latest !== undefined && date < latest.date;
      // A slow answer may have been written before one that overtook it.
      if (latest && date < latest.date - tolerance - ms) setBackAt = steady();
      else if (isOlder && ms > tolerance) return;
      latest = { date, at: steady() };
    },
    now: () => latest && latest.date + Math.max(0, steady() - latest.at),
    sinceSetBack: () => steady() - setBackAt,
  };
}
