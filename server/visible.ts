import { ExactNumber } from '#contract/json.ts';
import { oddCharacter } from '#contract/text.ts';

const odd = new RegExp(oddCharacter, 'gu');
/** Matches the characters escaped in ids: all control characters and lone surrogates. */
const oddInId = /[\p{Cc}\p{Cs}]/gu;

/** Maximum length of a member's name in characters. */
const longestName = 1000;

/** Names with a meaning for every object or for JSON.stringify. */
const isReserved = (name: string): boolean => name === 'toJSON' || name in Object.prototype;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Escapes every control character and lone surrogate in a text as in \u0000, except tabs and line breaks. */
export const visibleText = (text: string): string => text.replace(odd, escaped);

/** Like `visibleText`, but for an id: tabs and line breaks are escaped too. */
export const visibleId = (id: string): string => id.replace(oddInId, escaped);

const visibleName = (name: string): string => (isReserved(name) ? escaped(name) + name.slice(1) : visibleText(name));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !(value instanceof ExactNumber);

/** Escapes the texts and names in a JSON value, so that they can be stored, logged and shown. */
export function visible(value: unknown): unknown {
  if (typeof value === 'string') return visibleText(value);
  if (Array.isArray(value)) return value.map(visible);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [visibleName(name), visible(member)]));
}

/**
 * The path of the first part of a JSON value that `visible` would escape or whose name is too long; undefined if there
 * is none.
 */
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
