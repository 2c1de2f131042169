import { createHash } from 'node:crypto';
import { ExactNumber, stringify } from '#contract/json.ts';

/** Maximum number of parts in an outline; further ones count towards the part that contains them. */
const maximumParts = 100;

/** Maximum length of a member's name in a path; longer names are truncated. */
const maximumName = 60;

/** Maximum number of differences named. */
const maximumNamed = 10;

/** Hashes of a body's parts by their paths, e.g. `payments.0.instructedAmount.amount`. */
export type Outline = Record<string, string>;

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 8);

const nameOf = (name: string): string => name.replace(/[\p{C}.]/gu, '?').slice(0, maximumName);

/**
 * Returns the members of an object or array; undefined for other values and for those with more than `most` members.
 */
function membersOf(value: unknown, most: number): [string, unknown][] | undefined {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return undefined;
  const members = Object.entries(value);
  return members.length > 0 && members.length <= most ? members : undefined;
}

/**
 * Returns the outline of a body, for comparison with a later body. The members of `body` must be sorted. Shallow parts
 * come before deep ones. `texts`: parts already serialised as JSON.
 */
export function outlineOf(body: unknown, texts: ReadonlyMap<unknown, string> = new Map()): Outline {
  const outline = new Map<string, string>();
  const waiting: [string, unknown][] = [['', body]];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [path, value] = next;
    const members = membersOf(value, maximumParts - outline.size - waiting.length);
    if (members)
      for (const [name, member] of members) waiting.push([path ? `${path}.${nameOf(name)}` : nameOf(name), member]);
    else outline.set(path, hash(texts.get(value) ?? stringify(value)));
  }
  return Object.fromEntries(outline);
}

const isWithin = (path: string, part: string): boolean => part === '' || path.startsWith(`${part}.`);

/**
 * Returns the sorted paths at which two bodies differ, and the number of further ones; '' is the path of the whole
 * body.
 */
export function bodyDiff(one: Outline, other: Outline): { paths: string[]; more: number } {
  const all = [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((path) => one[path] !== other[path]);
  // A part that only one body has is named once, without its members.
  const paths = all.filter((path) => !all.some((part) => part !== path && isWithin(path, part))).sort();
  return { paths: paths.slice(0, maximumNamed), more: Math.max(0, paths.length - maximumNamed) };
}
