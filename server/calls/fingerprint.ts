import { createHash } from 'node:crypto';
import { ExactNumber, stringify } from '#contract/json.ts';

const isSame = (one: readonly string[], other: readonly string[]): boolean => {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index += 1) if (one[index] !== other[index]) return false;
  return true;
};

/** Names of members, in their original order and sorted. */
interface WriteOrder {
  names: readonly string[];
  sorted: readonly string[];
  /** Whether `__proto__` is not among the names. */
  isPlain: boolean;
}

/** Returns a copy with the members of all objects sorted by name. */
function sorted(value: unknown): unknown {
  /** Sorted names by the containing member: the objects of a list mostly have the same members. */
  const known = new Map<string, WriteOrder>();

  function orderOf(names: readonly string[], at: string): WriteOrder {
    const latest = known.get(at);
    if (latest && isSame(latest.names, names)) return latest;
    const order = { names, sorted: names.toSorted(), isPlain: !names.includes('__proto__') };
    known.set(at, order);
    return order;
  }

  function copy(part: unknown, at: string): unknown {
    if (Array.isArray(part)) {
      const list: unknown[] = [];
      for (const each of part) list.push(copy(each, at));
      return list;
    }
    if (typeof part !== 'object' || part === null || part instanceof ExactNumber) return part;
    const own = part as Record<string, unknown>; // not a list
    const { sorted: order, isPlain } = orderOf(Object.keys(own), at);
    // Assignment is several times as fast, but fails for `__proto__`.
    if (!isPlain) return Object.fromEntries(order.map((name) => [name, copy(own[name], name)]));
    const members: Record<string, unknown> = {};
    for (const name of order) members[name] = copy(own[name], name);
    return members;
  }

  return copy(value, '');
}

const serialised = (value: unknown): string => (value === undefined ? 'undefined' : stringify(value));

/** Returns a hash of a body under a name, which ignores the order of members. */
export const fingerprintOf = (name: string, body: unknown): string =>
  createHash('sha256')
    .update(`${name} `)
    .update(serialised(sorted(body)))
    .digest('hex');
