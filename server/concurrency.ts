import { setImmediate } from 'node:timers';
import { Failure } from '#server/failure.ts';

/** Those who have let others have their turn, in the order in which they go on. */
const pausing: (() => void)[] = [];

function goOn(): void {
  pausing.shift()?.();
  if (pausing.length > 0) setImmediate(goOn);
}

/**
 * Resolves once all that is due has had its turn. Of several that wait, one goes on in each turn of the event loop: a part of
 * a long work may take its time, and all of them together must not keep a request waiting.
 */
export const othersTurn = (): Promise<void> =>
  new Promise((resolve) => {
    pausing.push(resolve);
    if (pausing.length === 1) setImmediate(goOn);
  });

/** Number of values that are taken from a long list before others have their turn. */
const takenAtOnce = 50;

/** Yields values; others have their turn between a few of them and the next ones. Not within a transaction. */
export async function* inTurns<T>(values: Iterable<T>): AsyncGenerator<T, void> {
  let taken = 0;
  for (const value of values) {
    taken += 1;
    if (taken % takenAtOnce === 0) await othersTurn();
    yield value;
  }
}

/**
 * Returns a function that runs functions of the same name one at a time; they may make requests. A name is forgotten
 * when its last function has ended.
 */
export function createKeyedMutex(): <T>(name: string, run: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return async (name, run) => {
    const next = (last.get(name) ?? Promise.resolve()).then(run);
    const ended = next.catch(() => undefined);
    last.set(name, ended);
    try {
      return await next;
    } finally {
      if (last.get(name) === ended) last.delete(name);
    }
  };
}

/** A run that has not ended; `about` is what its first caller tells the others of it. */
interface Flight<Value, About> {
  result: Promise<Value>;
  about: About;
}

/** Runs something once for all concurrent callers with the same key, who share its result or its failure. */
export interface SingleFlight<Value, About = undefined> {
  /** Returns the result of the run under way, or else starts `load`. */
  run(key: string, load: () => Promise<Value>, ...about: About extends undefined ? [] : [About]): Promise<Value>;
  /** Returns the run that is under way; undefined if there is none. */
  underWay(key: string): Flight<Value, About> | undefined;
}

export function createSingleFlight<Value, About = undefined>(): SingleFlight<Value, About> {
  const flights = new Map<string, Flight<Value, About>>();
  return {
    run(key, load, ...[about]) {
      const known = flights.get(key);
      if (known) return known.result;
      const result = load().finally(() => flights.delete(key));
      flights.set(key, { result, about: about as About }); // given unless it is undefined
      return result;
    },
    underWay: (key) => flights.get(key),
  };
}

/** Runs a function as soon as fewer than the maximum are running. Throws `rate-limited` if too many are waiting. */
export type ConcurrencyLimit = <T>(run: () => Promise<T>) => Promise<T>;

/** Limits how many functions run at the same time, and how many wait; they run in the order in which they came. */
export function createConcurrencyLimit(mostRunning: number, mostWaiting: number): ConcurrencyLimit {
  const waiting: (() => void)[] = [];
  let free = mostRunning;
  return async (run) => {
    if (waiting.length >= mostWaiting)
      throw new Failure('rate-limited', `More than ${mostWaiting} of your requests wait for the service.`, {
        retryAfter: 5,
      });
    // A finished function passes its place to the first waiting one.
    if (free > 0) free -= 1;
    else await new Promise<void>((begin) => waiting.push(begin));
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
