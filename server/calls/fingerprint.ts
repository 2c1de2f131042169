import { createHash } from 'node:crypto';
import { ExactNumber, isObject, stringify } from '#contract/json.ts';
import { inTurns } from '#server/concurrency.ts';

/** Returns the object with its members, made by `made`, sorted by name. */
const inOrder = (own: object, made: (value: unknown) => unknown): object =>
  Object.fromEntries(
    Object.entries(own)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, value]) => [name, made(value)]),
  ); // also of `__proto__`

/** Returns a copy with the members of all objects sorted by name. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  return inOrder(value, sorted);
}

/** Yields the JSON text of a body with sorted members, each element of its lists by itself: a copy of all would be large. */
function* textsOf(body: unknown): Generator<string, void> {
  if (!isObject(body)) {
    yield body === undefined ? 'undefined' : stringify(sorted(body));
    return;
  }
  let before = '{';
  for (const [name, value] of Object.entries(inOrder(body, (each) => each))) {
    if (value === undefined) continue;
    yield `${before}${stringify(name)}:`;
    before = ',';
    if (!Array.isArray(value)) yield stringify(sorted(value));
    else {
      yield '[';
      for (const [index, each] of value.entries()) yield `${index === 0 ? '' : ','}${stringify(sorted(each))}`;
      yield ']';
    }
  }
  yield before === '{' ? '{}' : '}';
}

/** Returns a hash of a body under a name, which ignores the order of members. */
export function fingerprintOf(name: string, body: unknown): string {
  const hash = createHash('sha256').update(`${name} `);
  for (const text of textsOf(body)) hash.update(text);
  return hash.digest('hex');
}

/** Resolves with what `fingerprintOf` returns; others have their turn meanwhile. */
export async function fingerprintInTurns(name: string, body: unknown): Promise<string> {
  const hash = createHash('sha256').update(`${name} `);
  for await (const text of inTurns(textsOf(body))) hash.update(text);
  return hash.digest('hex');
}
