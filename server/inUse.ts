import type { Context, Middleware } from 'koa';
import type { Clock } from './clock.ts';

interface Parts<Value> {
  make: (name: string) => Value;
  /** Maximum number of values that nobody uses. */
  most: number;
  /** Time (ms) after the last use for which a value is kept at least, if there is room. */
  life: number;
  /** Whether a value that no request uses may be let go; false as long as it has something to do. */
  mayGo: (name: string) => boolean;
  /** Called when a value is let go. */
  gone: (name: string) => void;
  clock: Pick<Clock, 'steady' | 'setTimeout' | 'clearTimeout'>;
}

interface Held<Value> {
  value: Value;
  /** Number of requests that use it. */
  users: number;
  usedAt: number;
}

/** Time (ms) after which what could not go is looked at again. */
const pause = 1000;

/**
 * One value for each name, shared by all requests that use it at the same time. Those used longest ago are let go when
 * there are too many, and each after its life; never while a request uses it.
 */
export function createInUse<Value>({ make, most, life, mayGo, gone, clock }: Parts<Value>) {
  /** In the order of their last use. */
  const held = new Map<string, Held<Value>>();
  let latest: Held<Value> | undefined;
  /** Where a request keeps what it uses: in a WeakMap of requests it would take several times as long. */
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

  /** Looks again after the life of what is held, or soon if there is too much. */
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
    /** Releases what a request has used once it is handled, also if that fails. */
    release: (async (ctx: User, next) => {
      try {
        await next();
      } finally {
        for (const each of ctx[uses] ?? []) each.users -= 1;
        ctx[uses] = [];
      }
    }) satisfies Middleware,
    /** The value with this name, for as long as the request is handled. */
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
