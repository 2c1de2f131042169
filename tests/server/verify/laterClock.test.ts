import { expect, it } from 'vitest';
import { untilOtherWorkingDay } from '#server/verify/laterClock.ts';

const day = 86_400_000;

/** The next day that is neither a Saturday nor a Sunday nor in the longest row of holidays, as a program may pay on it. */
function nextWorkingDay(time: number): string {
  const date = new Date(time);
  const name = date.toISOString().slice(0, 10);
  const isClosed = [0, 6].includes(date.getUTCDay()) || ['2026-04-03', '2026-04-06'].includes(name);
  return isClosed ? nextWorkingDay(time + day) : name;
}

it.each(Array.from({ length: 14 }, (_, index) => new Date(Date.UTC(2026, 2, 28 + index, 9)).toISOString()))(
  'a clock that is set on from %s shows another working day and another minute and hour (behaviour 10.21.28)',
  (from) => {
    const now = Date.parse(from);
    const later = now + untilOtherWorkingDay(now);
    expect(nextWorkingDay(later)).not.toBe(nextWorkingDay(now));
    expect(new Date(later).toISOString().slice(11, 16)).not.toBe(from.slice(11, 16));
  },
);
