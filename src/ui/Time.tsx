import { useEffect, useState } from 'react';
import { serverNow } from './clock.ts';
import { minuteText, namedMoment } from './dates.ts';

const steps = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', Infinity],
] as const;

let relativeFormat: Intl.RelativeTimeFormat | undefined;
const format = () => (relativeFormat ??= new Intl.RelativeTimeFormat('en', { numeric: 'auto' }));

/** The distance between two times (ms) in words: "5 minutes ago", "in 2 hours", "just now". */
export function relative(time: number, now: number): string {
  let amount = (time - now) / 1000;
  for (const [unit, size] of steps) {
    if (Math.abs(amount) < size) {
      const rounded = Math.round(amount);
      return rounded === 0 ? 'just now' : format().format(rounded, unit);
    }
    amount /= size;
  }
  return '';
}

/** The server's time (ms since the epoch), updated every `interval` ms. */
function useNow(interval: number): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), interval);
    return () => clearInterval(timer);
  }, [interval]);
  return now;
}

/** Whole seconds since the component was mounted; independent of changes to the system clock. */
export function useSeconds(): number {
  const [start] = useState(() => performance.now());
  const [now, setNow] = useState(start);
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return Math.floor((now - start) / 1000);
}

/**
 * Needs a new `key` for each time: a new instance starts with the current time, so that no past time appears as future.
 */
function Relative({ time }: { time: number }) {
  return relative(time, useNow(10_000));
}

/**
 * A time relative to now, or the date and time if `exact`, with UTC and local time on hover (behaviour, section 10.5).
 * `at` is an ISO 8601 time; any other text is shown unchanged.
 */
export function Time({ at, exact = false }: { at: string; exact?: boolean }) {
  const time = Date.parse(at);
  if (Number.isNaN(time)) return <>{at}</>;
  const date = new Date(time);
  return (
    <time dateTime={date.toISOString()} title={namedMoment(date)}>
      {exact ? minuteText(date) : <Relative key={at} time={time} />}
    </time>
  );
}
