// @vitest-environment jsdom
import { spawnSync } from 'node:child_process';
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
  it('is never in the future, however long the page has been open (behaviour 10.5.1)', async () => {
    vi.useFakeTimers();
    const { rerender } = render(<Time at={new Date().toISOString()} />);
    await vi.advanceTimersByTimeAsync(5000);
    rerender(<Time at={new Date().toISOString()} />);
    expect(screen.getByRole('time').textContent).toBe('just now');
  });
});

describe('a displayed date', () => {
  it('names UTC and local time in the page’s language on hover', () => {
    const at = '2026-11-21T18:42:09.112Z';
    render(<Time at={at} />);
    const local = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(at));
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

describe('the dates of the page', () => {
  it.each(['th_TH', 'fa_IR', 'ar_EG', 'en_US'])(
    'have one calendar and one kind of digits in a browser set to %s',
    (set) => {
      const program = `
      const { minuteText, clockTime, dayOfYear } = await import('./src/ui/dates.ts');
      const { relative } = await import('./src/ui/Time.tsx');
      const at = new Date(2026, 10, 21, 18, 42, 9);
      console.log([minuteText(at), clockTime(at), dayOfYear(at), relative(0, 300_000)].join(' | '));`;
      const { stdout, stderr } = spawnSync(
        process.execPath,
        ['--import', 'tsx', '--input-type=module', '-e', program],
        {
          encoding: 'utf8',
          env: { ...process.env, LC_ALL: `${set}.UTF-8` },
        },
      );
      expect(stdout, stderr).toBe('21 Nov 2026, 18:42 | 18:42:09 | 21/11 | 5 minutes ago\n');
    },
  );
});

describe('relative times', () => {
  it('share one timer, however many the page shows', async () => {
    vi.useFakeTimers();
    const at = new Date(Date.now() - 30_000).toISOString();
    render(
      <>
        {Array.from({ length: 20 }, (_, index) => (
          <Time key={index} at={at} />
        ))}
      </>,
    );
    expect(vi.getTimerCount()).toBe(1);
    await act(() => vi.advanceTimersByTimeAsync(30_000));
    expect(screen.getAllByRole('time').map(({ textContent }) => textContent)).toEqual(Array(20).fill('1 minute ago'));
    cleanup();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the elapsed time of a wait', () => {
  it('counts from when the message was sent, also if the page is opened later or shown again', async () => {
    vi.useFakeTimers();
    const sentAt = new Date(Date.now() - 90_000).toISOString();
    const { unmount } = renderPage(<Waiting sentAt={sentAt}>Waiting for an answer.</Waiting>);
    expect(screen.getByRole('timer').textContent).toBe('90 s');
    unmount();
    await vi.advanceTimersByTimeAsync(5000);
    renderPage(<Waiting sentAt={sentAt}>Waiting for an answer.</Waiting>);
    expect(screen.getByRole('timer').textContent).toBe('95 s');
  });

  it('is unaffected when the machine’s clock is set forward or back', async () => {
    vi.useFakeTimers();
    renderPage(<Waiting>Waiting for an answer.</Waiting>);
    const elapsed = () => screen.getByRole('timer').textContent;
    for (const [step, shown] of [
      [-600_000, '3 s'],
      [3_600_000, '6 s'],
    ] as const) {
      vi.setSystemTime(Date.now() + step);
      await act(() => vi.advanceTimersByTimeAsync(3000));
      expect(elapsed()).toBe(shown);
    }
  });
});
