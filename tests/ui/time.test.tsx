// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Time } from '#ui/Time.tsx';
import { Waiting } from '#ui/Waiting.tsx';
import { renderPage } from '#tests/support/page.tsx';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('a moment that is renewed by polling', () => {
  it('is never ahead of the present, however long the page has been open (behaviour 10.5.1)', () => {
    vi.useFakeTimers();
    const { rerender } = render(<Time at={new Date().toISOString()} />);
    vi.advanceTimersByTime(5000);
    rerender(<Time at={new Date().toISOString()} />);
    expect(screen.getByRole('time').textContent).toBe('just now');
  });
});

describe('the time that one has waited', () => {
  it('goes on by itself when the machine’s clock is set, forward or back', () => {
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
