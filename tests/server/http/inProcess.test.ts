import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { fetchWithin } from '#server/http/inProcess.ts';

/** Longer (ms) than any time after which clients and servers usually give something up. */
const aDay = 24 * 60 * 60_000;

describe('a fetch within the process', () => {
  // One clock for all: what undici counts by its timers goes on between them.
  beforeAll(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] }));
  afterAll(() => void vi.useRealTimers());

  test('calls over the same connection, however long nobody has called', async () => {
    const used = new Set<Duplex>();
    const reach = fetchWithin(({ socket }, response) => {
      used.add(socket);
      response.end('done');
    }, 'http://console.example');
    await reach('/first');
    await vi.advanceTimersByTimeAsync(aDay);
    await reach('/second');
    expect(used.size).toBe(1);
    await reach.close();
  });

  test('waits for an answer, however long it takes', async () => {
    let arrived = (_: ServerResponse) => {};
    const arrival = new Promise<ServerResponse>((resolve) => (arrived = resolve));
    const reach = fetchWithin((_, response) => arrived(response), 'http://console.example');
    const reply = reach('/slow');
    const response = await arrival;
    await vi.advanceTimersByTimeAsync(aDay);
    response.end('done');
    expect(await (await reply).text()).toBe('done');
    await reach.close();
  });
});
