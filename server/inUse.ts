import type { Context, Middleware } from 'koa';
import type { Clock } from './clock.ts';

interface Parts<Value> {
  make: (name: string) => Value;
  /** Maximum number of values; exceeded only while the others are in use. */
  most: number;
  /** Minimum time (ms) for which an unused value is kept, if there is room. */
  life: number;
  /** Whether an unused value may be evicted; false while it has work to do. */
  mayGo: (name: string) => boolean;
  /** Called after a value was evicted. */
  gone: (name: string) => void;
  clock: Pick<Clock, 'steady' | 'setTimeout' | 'clearTimeout'>;
}

interface Held<Value> {
  value: Value;
  /** Number of requests that use the value. */
  users: number;
  usedAt: number;
}

/** Time (ms) between attempts to evict values that could not be evicted. */
const pause = 1000;

/**
 * A cache with one value per name, shared by concurrent requests. Evicts the least recently used values beyond the
 * maximum, and each value after its life; never one that a request uses.
 */
export function createInUse<Value>({ make, most, life, mayGo, gone, clock }: Parts<Value>) {
  /** Ordered by last use. */
  const held = new Map<string, Held<Value>>();
  let latest: Held<Value> | undefined;
  /**
   * Property of a request's context that holds the values in use; a WeakMap by request would be several times slower.
   */
  const uses = Symbol('uses');
  type User = Context & { [uses]?: Held<Value>[] };
  let timer: unknown;
  let isSoon = false;

  function letGo(): void {
    const since = clock.steady() - life;
    let left = held.size;
    for (const [name, { users, usedAt }] of held) {
      if (left <= most && usedAt > since) return;
      if (users > 0 || !mayGo(name)) continue;
      held.delete(name);
      latest = undefined;
      left -= 1;
      gone(name);
    }
  }

  /** Schedules the next eviction: after the life of a value, or soon if there are too many. */
  function later(): void {
    const isMuch = held.size > most;
    if (held.size === 0 || (timer !== undefined && (isSoon || !isMuch))) return;
    if (timer !== undefined) clock.clearTimeout(timer);
    isSoon = isMuch;
    timer = clock.setTimeout(
      () => {
        timer = undefined;
        letGo();
        later();
      },
      isMuch ? pause : life,
    );
  }

  return {
    /** Middleware that releases the values of a request once it is handled, also if that fails. */
    release: (async (ctx: User, next) => {
      try {
        await next();
      } finally {
        for (const each of ctx[uses] ?? []) each.users -= 1;
        ctx[uses] = [];
      }
    }) satisfies Middleware,
    /** Returns the value with this name; it is in use until the request is handled. */
    of: (ctx: User, name: string): Value => {
      const known = held.get(name) ?? { value: make(name), users: 0, usedAt: 0 };
      known.usedAt = clock.steady();
      if (known !== latest) {
        held.delete(name);
        held.set(name, known);
        latest = known;
      }
      const its = (ctx[uses] ??= []);
      if (!its.includes(known)) {
        known.users += 1;
        its.push(known);
      }
      later();
      return known.value;
    },
  };
}
