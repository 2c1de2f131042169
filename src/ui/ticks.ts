import { useSyncExternalStore } from 'react';
import { serverNow } from './clock.ts';

/** Returns the function by which components subscribe to one timer (interval in ms) that they share; it runs while there is a listener. */
function createTicker(interval: number) {
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  return (listener: () => void): (() => void) => {
    listeners.add(listener);
    timer ??= setInterval(() => {
      for (const each of listeners) each();
    }, interval);
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  };
}

const everySecond = createTicker(1000);
const everyTenSeconds = createTicker(10_000);

/** A clock that stands during a task: React reads it several times while rendering, and must not see the second change. */
function standing(read: () => number): () => number {
  let value: number | undefined;
  return () => {
    if (value === undefined) {
      value = read();
      queueMicrotask(() => (value = undefined));
    }
    return value;
  };
}

/** In whole seconds, rounded up, so that no past time is future. */
const currentSecond = standing(() => Math.ceil(serverNow() / 1000) * 1000);

/** The server's time (ms since the epoch, to the second), updated every ten seconds. */
export const useNow = (): number => useSyncExternalStore(everyTenSeconds, currentSecond);

const steadySecond = standing(() => Math.floor(performance.now() / 1000));

/** Whole seconds since `since`, by the server's clock (ISO 8601); updated every second. */
export const useSecondsSince = (since: string): number =>
  Math.max(0, Math.floor((useSyncExternalStore(everySecond, currentSecond) - Date.parse(since)) / 1000));

/** Seconds of a clock that only runs forward, from any beginning; updated every second. */
export const useSteadySeconds = (): number => useSyncExternalStore(everySecond, steadySecond);
