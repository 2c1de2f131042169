import { createHash } from 'node:crypto';
import { ExactNumber, stringify } from '#contract/json.ts';

/** Returns a copy with the members of all objects sorted by name. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  const own = value as Record<string, unknown>; // not a list
  const names = Object.keys(own).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(own[name])])); // also of `__proto__`
}

/** Returns a hash of a body under a name, which ignores the order of members. */
export const fingerprintOf = (name: string, body: unknown): string =>
  createHash('sha256')
    .update(`${name} ${body === undefined ? 'undefined' : stringify(sorted(body))}`)
    .digest('hex');
