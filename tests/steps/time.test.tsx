// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Time } from '#steps/kit/Time.tsx';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('a moment that is renewed by polling', () => {
  it('is never ahead of the present, however long the page has been open', () => {
    vi.useFakeTimers();
    const { rerender } = render(<Time at={new Date().toISOString()} />);
    vi.advanceTimersByTime(5000);
    rerender(<Time at={new Date().toISOString()} />);
    expect(screen.getByRole('time').textContent).toBe('now');
  });
});
