import { createHash } from 'node:crypto';
import { ExactNumber, isObject, stringify } from '#contract/json.ts';
import { outlineOf, type Outline } from './differences.ts';

const isSame = (one: readonly string[], other: readonly string[]): boolean => {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index += 1) if (one[index] !== other[index]) return false;
  return true;
};

/** Names of members as they came and sorted. */
interface Order {
  names: readonly string[];
  sorted: readonly string[];
  isSorted: boolean;
  /** Whether none of them is `__proto__`. */
  isPlain: boolean;
}

/** The value with the members of its objects in the order of their names; the value itself if they are. */
function sorted(value: unknown): unknown {
  /** Names and their order, by the name of the member: the objects of a list mostly have the same members. */
  const known = new Map<string, Order>();

  function orderOf(names: readonly string[], at: string): Order {
    const latest = known.get(at);
    if (latest && isSame(latest.names, names)) return latest;
    const order = { names, sorted: names.toSorted(), isSorted: false, isPlain: !names.includes('__proto__') };
    order.isSorted = isSame(names, order.sorted);
    known.set(at, order);
    return order;
  }

  function inOrder(part: unknown, at: string): unknown {
    if (typeof part !== 'object' || part === null || part instanceof ExactNumber) return part;
    return Array.isArray(part) ? listInOrder(part, at) : membersInOrder(part as Record<string, unknown>, at); // no list
  }

  function listInOrder(list: readonly unknown[], at: string): readonly unknown[] {
    let copy: unknown[] | undefined;
    for (let index = 0; index < list.length; index += 1) {
      const each = inOrder(list[index], at);
      if (each !== list[index]) copy ??= list.slice(0, index);
      copy?.push(each);
    }
    return copy ?? list;
  }

  function membersInOrder(own: Readonly<Record<string, unknown>>, at: string): object {
    const { sorted: order, isSorted, isPlain } = orderOf(Object.keys(own), at);
    // Assigning one by one is several times as fast, but not for this name.
    if (!isPlain) return Object.fromEntries(order.map((name) => [name, inOrder(own[name], name)]));
    let copy: Record<string, unknown> | undefined = isSorted ? undefined : {};
    for (let index = 0; index < order.length; index += 1) {
      const name = order[index]!; // within
      const member = inOrder(own[name], name);
      if (!copy && member !== own[name]) {
        copy = {};
        for (const earlier of order.slice(0, index)) copy[earlier] = own[earlier];
      }
      if (copy) copy[name] = member;
    }
    return copy ?? own;
  }

  return inOrder(value, '');
}

/** The latest texts of bodies whose members are in order: a large body is written once for all who need it. */
const texts = new WeakMap<object, string>();

/** A body as JSON. If its fingerprint was taken and its members are in order, it is not written again. */
export const jsonOf = (body: object): string => texts.get(body) ?? stringify(body);

function hashOf(name: string, text: string): string {
  return createHash('sha256').update(`${name} `).update(text).digest('hex');
}

const textOf = (value: unknown): string => (value === undefined ? 'undefined' : stringify(value));

/** A hash of the body that ignores the order of members. */
export const fingerprintOf = (name: string, body: unknown): string => hashOf(name, textOf(sorted(body)));

/** The second part of a described fingerprint, as JSON. */
export interface Description {
  name: string;
  parts: Outline;
}

/** Like `fingerprintOf`, followed by hashes of the body's parts, so that a conflict can name the parts that differ. */
export function describedFingerprintOf(name: string, body: unknown): string {
  const inOrder = sorted(body);
  if (!isObject(inOrder)) return described(name, textOf(inOrder), outlineOf(inOrder));
  // The members are written once for both, because a batch is large.
  const known = new Map<unknown, string>();
  let text = '';
  for (const [member, value] of Object.entries(inOrder)) {
    if (value === undefined) continue;
    const its = stringify(value);
    if (typeof value === 'object') known.set(value, its);
    text += `${text === '' ? '{' : ','}${JSON.stringify(member)}:${its}`;
  }
  text = text === '' ? '{}' : `${text}}`;
  texts.set(inOrder, text);
  return described(name, text, outlineOf(inOrder, known));
}

const described = (name: string, text: string, parts: Outline): string =>
  `${hashOf(name, text)} ${JSON.stringify({ name, parts } satisfies Description)}`;
