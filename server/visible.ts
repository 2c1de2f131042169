import { ExactNumber } from '#contract/json.ts';
import { oddCharacter } from '#contract/text.ts';

const odd = new RegExp(oddCharacter, 'gu');
/** Ids contain no control characters at all. */
const oddInId = /[\p{Cc}\p{Cs}]/gu;

/** Maximum length of a name. */
const longestName = 1000;

/** Names with a meaning to every object or to JSON.stringify. */
const isReserved = (name: string): boolean => name === 'toJSON' || name in Object.prototype;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Escapes every control character and lone surrogate in a text, such as \u0000; tabs and line breaks stay. */
export const visibleText = (text: string): string => text.replace(odd, escaped);

/** The same for an id, where tabs and line breaks are escaped as well. */
export const visibleId = (id: string): string => id.replace(oddInId, escaped);

const visibleName = (name: string): string => (isReserved(name) ? escaped(name) + name.slice(1) : visibleText(name));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !(value instanceof ExactNumber);

/** Escapes texts and names of a JSON value so that they can be stored, logged and shown. */
export function visible(value: unknown): unknown {
  if (typeof value === 'string') return visibleText(value);
  if (Array.isArray(value)) return value.map(visible);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [visibleName(name), visible(member)]));
}

/** The first place in a JSON value that `visible` would escape, or with too long a name; undefined if there is none. */
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
