// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clockTime, minuteText, preciseTime } from '#ui/dates.ts';
import { Time } from '#ui/Time.tsx';
import { Waiting } from '#ui/Waiting.tsx';
import { renderPage } from '#tests/support/page.tsx';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('a time that polling updates', () => {
  it('is never in the future, however long the page has been open (behaviour 10.5.1)', () => {
    vi.useFakeTimers();
    const { rerender } = render(<Time at={new Date().toISOString()} />);
    vi.advanceTimersByTime(5000);
    rerender(<Time at={new Date().toISOString()} />);
    expect(screen.getByRole('time').textContent).toBe('just now');
  });
});

describe('a displayed date', () => {
  it('names UTC and local time in the user’s locale on hover', () => {
    const at = '2026-11-21T18:42:09.112Z';
    render(<Time at={at} />);
    const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(at));
    expect(screen.getByRole('time').title).toBe(`${at} (UTC), ${local} (local)`);
  });

  it('is shown to the minute where the moment itself matters, with UTC named on hover', () => {
    const at = '2026-11-21T18:42:09.112Z';
    render(<Time at={at} exact />);
    const time = screen.getByRole('time');
    expect([time.textContent, time.title]).toEqual([minuteText(new Date(at)), expect.stringContaining(`${at} (UTC)`)]);
  });

  it('has its time of day in 24-hour format, with milliseconds if precise', () => {
    expect(preciseTime(new Date(2026, 10, 21, 18, 2, 9, 7))).toMatch(/^18:02:09[.,]007$/);
    expect(clockTime(new Date(2026, 10, 21, 0, 2, 9))).toBe('00:02:09');
  });
});

describe('the elapsed time of a wait', () => {
  it('is unaffected when the machine’s clock is set forward or back', () => {
    vi.useFakeTimers();
    renderPage(<Waiting>Waiting for an answer.</Waiting>);
    const elapsed = () => screen.getByRole('timer').textContent;
    for (const [step, shown] of [
      [-600_000, '3 s'],
      [3_600_000, '6 s'],
    ] as const) {
      vi.setSystemTime(Date.now() + step);
      act(() => {
        vi.advanceTimersByTime(3000);
      });
      expect(elapsed()).toBe(shown);
    }
  });
});
