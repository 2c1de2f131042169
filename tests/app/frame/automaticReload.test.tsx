// @vitest-environment jsdom
import { ChakraProvider } from '@chakra-ui/react';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { system } from '#app/theme/system.ts';
import { expectPrinted } from '#tests/support/consoleOutput.ts';

/** Longer than the time-out of a chunk, and than the page's delay before its health check (ms). */
const [patience, nextLook] = [121_000, 3000];

const reload = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('location', { ...window.location, reload });
  vi.stubGlobal('fetch', () => Promise.resolve({ json: () => Promise.resolve({ store: true }) }));
});
afterEach(() => {
  reload.mockClear();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Opens the page by a navigation of `type`, waits for its chunk, and returns whether it reloads itself. */
async function loadPage(type: string | undefined, arrives: () => Promise<() => string>): Promise<boolean> {
  cleanup();
  vi.resetModules();
  reload.mockClear();
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue(type ? [{ type } as PerformanceNavigationTiming] : []);
  const { lazyRoute } = await import('#app/frame/lazyRoute.tsx');
  const { ErrorBoundary } = await import('#app/frame/ErrorBoundary.tsx');
  const Part = lazyRoute(arrives);
  render(
    <ChakraProvider value={system}>
      <MemoryRouter>
        <ErrorBoundary shows="">
          <Part />
        </ErrorBoundary>
      </MemoryRouter>
    </ChakraProvider>,
  );
  await act(() => vi.advanceTimersByTimeAsync(patience));
  await act(() => vi.advanceTimersByTimeAsync(nextLook));
  return reload.mock.calls.length > 0;
}

const hangs = () => new Promise<never>(() => {});
const isMissing = () => Promise.reject(new Error('404'));

/** Session storage as browsers restrict it. */
const storages: Readonly<Record<string, () => void>> = {
  allowed: () => undefined,
  blocked() {
    vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    });
  },
  full() {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
  },
};

describe.each([
  ['hangs', hangs],
  ['is missing', isMissing],
])('a page whose JavaScript chunk %s', (_, arrives) => {
  beforeEach(() => expectPrinted(/Loading chunk failed/)); // React reports what a boundary caught

  it.each([
    ['an ordinary browser', 'navigate', 'reload', 1, 'allowed'],
    ['a browser that does not say how the page was opened', undefined, undefined, 1, 'allowed'],
    ['a browser whose storage is blocked', 'navigate', 'reload', 0, 'blocked'],
    ['a browser whose storage is full', 'navigate', 'reload', 0, 'full'],
  ])(
    'reloads itself at most once in %s, then shows the error message (behaviour 2.12)',
    async (_browser, opened, again, most, storage) => {
      storages[storage]?.();
      let reloads = 0;
      for (let type = opened; await loadPage(type, arrives); type = again)
        expect((reloads += 1)).toBeLessThanOrEqual(1);
      expect(reloads).toBe(most);
      expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Loading chunk failed');
      expect(screen.getByRole('alert').textContent).toContain('then reload the page');
      await act(() => vi.advanceTimersByTimeAsync(10 * patience));
      expect(reload).not.toHaveBeenCalled();
      fireEvent.click(screen.getByRole('button', { name: 'Reload' }));
      expect(reload).toHaveBeenCalledTimes(1);
      expect(await loadPage(again, arrives)).toBe(false);
    },
  );

  it('reloads itself once more after the user has opened it again', async () => {
    expect(await loadPage('navigate', arrives)).toBe(true);
    expect(await loadPage('reload', arrives)).toBe(false);
    expect(await loadPage('navigate', arrives)).toBe(true);
    expect(await loadPage('reload', arrives)).toBe(false);
  });

  it('reloads itself once, although further chunks fail after the reload', async () => {
    expect(await loadPage('navigate', arrives)).toBe(true);
    expect(await loadPage('reload', () => Promise.resolve(() => 'loaded'))).toBe(false);
    expect(await loadPage('reload', arrives)).toBe(false);
  });
});

it('A region whose code does not arrive is left out until the server works, and the page stays (behaviour 10.2.6)', async () => {
  cleanup();
  vi.resetModules();
  const { lazyRoute } = await import('#app/frame/lazyRoute.tsx');
  const { ErrorBoundary } = await import('#app/frame/ErrorBoundary.tsx');
  let arrives = false;
  const load = () => (arrives ? Promise.resolve(() => 'the lab') : isMissing());
  const Region = lazyRoute<object>(load, () => null, true);
  render(
    <ChakraProvider value={system}>
      <ErrorBoundary shows="">
        the page <Region />
      </ErrorBoundary>
    </ChakraProvider>,
  );
  await act(() => vi.advanceTimersByTimeAsync(nextLook));
  expect(document.body.textContent?.trim()).toBe('the page');
  arrives = true;
  await act(() => vi.advanceTimersByTimeAsync(2 * nextLook));
  expect(document.body.textContent).toContain('the lab');
});
