import { locale } from '#contract/constants.ts';
import { serverNow } from './clock.ts';
import { minuteText, namedMoment } from './dates.ts';
import { useNow } from './ticks.ts';

const steps = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', Infinity],
] as const;

let relativeFormat: Intl.RelativeTimeFormat | undefined;
const format = () => (relativeFormat ??= new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));

/** The distance between two times (ms) in words: "5 minutes ago", "in 2 hours", "just now". */
export function relative(time: number, now: number): string {
  let amount = (time - now) / 1000;
  for (const [unit, size] of steps) {
    if (Math.abs(amount) < size) {
      // Less than a second is none: `useNow` is up to one second ahead.
      const rounded = unit === 'second' ? Math.trunc(amount) : Math.round(amount);
      return rounded === 0 ? 'just now' : format().format(rounded, unit);
    }
    amount /= size;
  }
  return '';
}

function Relative({ time }: { time: number }) {
  return relative(time, useNow());
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
      {exact ? minuteText(date) : <Relative time={time} />}
    </time>
  );
}

/** What `Time` shows of a time, also on hover, as plain text by which a list is filtered; any other text is unchanged. */
export function timeText(at: string): string {
  const time = Date.parse(at);
  return Number.isNaN(time) ? at : `${relative(time, serverNow())} ${minuteText(new Date(time))}`;
}
