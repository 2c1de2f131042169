import { afterEach, expect, it, vi } from 'vitest';
import { connectTo, request } from '#app/client/http.ts';
import { learnTime, serverNow, serverTime } from '#ui/clock.ts';
import { relative } from '#ui/Time.tsx';
import { listening } from '#tests/support/listen.ts';

const hour = 3_600_000;

afterEach(() => {
  connectTo(null);
  vi.useRealTimers();
  learnTime(new Date().toUTCString());
});

it('the age of a record is correct although the browser’s clock is wrong by hours', async () => {
  const origin = await listening((_, response) => response.end());
  connectTo({ origin, headers: {}, direct: true });
  const made = Date.now();
  for (const wrong of [3 * hour, -3 * hour]) {
    vi.useFakeTimers({ toFake: ['Date'], now: made + wrong });
    await request({ url: '/' });
    expect(Math.abs(serverNow() - made)).toBeLessThan(5000);
    expect(relative(made - 2 * hour, serverNow())).toBe('2 hours ago');
    expect(Date.parse(serverTime())).toBe(serverNow());
  }
});

it('the page’s clock stays as it is if it is correct or if a response has no valid Date header', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  learnTime(new Date(Date.now() - 1500).toUTCString());
  learnTime(undefined);
  learnTime('yesterday');
  expect(serverNow()).toBe(Date.now());
});
