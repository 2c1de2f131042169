import { ExactNumber } from '#contract/json.ts';
import { oddCharacter } from '#contract/text.ts';

const odd = new RegExp(oddCharacter, 'gu');
/** An id has no control characters at all. */
const oddInId = /[\p{Cc}\p{Cs}]/gu;

/** Characters of a name that nothing sensible needs. */
const longestName = 1000;

/** Names that mean something to every object, or to JSON.stringify. */
const isReserved = (name: string): boolean => name === 'toJSON' || name in Object.prototype;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A text in which every control character and lone surrogate is written as its escape, such as \u0000. */
export const visibleText = (text: string): string => text.replace(odd, escaped);

/** The same for an id, which may have no tabs and line breaks either. */
export const visibleId = (id: string): string => id.replace(oddInId, escaped);

const visibleName = (name: string): string => (isReserved(name) ? escaped(name) + name.slice(1) : visibleText(name));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !(value instanceof ExactNumber);

/** A JSON value whose texts and names can be kept, logged and shown: what cannot is written as its escape. */
export function visible(value: unknown): unknown {
  if (typeof value === 'string') return visibleText(value);
  if (Array.isArray(value)) return value.map(visible);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [visibleName(name), visible(member)]));
}

/** Where a JSON value holds what `visible` would have to escape, or too long a name; undefined if nowhere. */
export function oddPlaceIn(value: unknown, place = ''): string | undefined {
  if (typeof value === 'string') return visibleText(value) === value ? undefined : place;
  if (!isObject(value)) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const inner = place === '' ? name : `${place}.${name}`;
    if (visibleName(name) !== name || name.length > longestName) return visibleText(inner.slice(0, longestName));
    const found = oddPlaceIn(member, inner);
    if (found !== undefined) return found;
  }
  return undefined;
}
