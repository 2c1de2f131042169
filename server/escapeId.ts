import { ExactNumber } from '#contract/json.ts';
import { own } from '#contract/member.ts';
import { escapedCharacter, oddCharacter, visibleText } from '#contract/text.ts';

export { visibleText };

/** Matches the characters escaped in ids: odd characters, tabs and line breaks. */
const disallowedInId = new RegExp(`${oddCharacter.source}|[\\t\\n\\r]`, 'gu');

/** Maximum length of a member's name in characters. */
const longestName = 1000;

/** Names with a meaning for every object or for JSON.stringify. */
const isReserved = (name: string): boolean => name === 'toJSON' || own(Object.prototype, name);

/** Like `visibleText`, but for an id: tabs and line breaks are escaped too. */
export const escapeId = (id: string): string => id.replace(disallowedInId, escapedCharacter);

const escapeName = (name: string): string =>
  isReserved(name) ? escapedCharacter(name) + name.slice(1) : visibleText(name);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !(value instanceof ExactNumber);

function escapedIn(value: unknown): unknown {
  if (typeof value === 'string') return visibleText(value);
  if (Array.isArray(value)) return value.map(escapedIn);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [escapeName(name), escapedIn(member)]));
}

/**
 * Escapes the texts and names in a JSON value, so that they can be stored, logged and shown. Returns the value itself
 * if there is nothing to escape, which is the usual case: copying takes ten times as long as checking.
 */
export const escapeText = (value: unknown): unknown => (isDisallowed(value, new Set()) ? escapedIn(value) : value);

const isDisallowedText = (text: string): boolean => visibleText(text) !== text;
const isDisallowedName = (name: string): boolean => name.length > longestName || escapeName(name) !== name;

/**
 * Whether `escapeText` would escape any part of a JSON value, or a name in it is too long. `known`: names already found
 * valid. `isOddTextIn`: the check for texts.
 */
function isDisallowed(value: unknown, known: Set<string>, isOddTextIn = isDisallowedText): boolean {
  if (typeof value === 'string') return isOddTextIn(value);
  if (Array.isArray(value)) {
    for (const each of value) if (isDisallowed(each, known, isOddTextIn)) return true;
    return false;
  }
  if (!isObject(value)) return false;
  for (const name of Object.keys(value)) {
    if (!known.has(name)) {
      if (isDisallowedName(name)) return true;
      known.add(name);
    }
    if (isDisallowed(value[name], known, isOddTextIn)) return true;
  }
  return false;
}

/** Matches JSON in which no text can be odd: ASCII without escapes. */
const isPlainJson = /^[\t\n\r -[\]-~]*$/;
const no = () => false;

/**
 * Returns the path of the first such part; undefined if there is none. `json`: the text from which the value was
 * parsed.
 */
export const disallowedPathIn = (value: unknown, json = '\\'): string | undefined =>
  isDisallowed(value, new Set(), isPlainJson.test(json) ? no : isDisallowedText)
    ? pathOfDisallowed(value, '')
    : undefined;

function pathOfDisallowed(value: unknown, place: string): string | undefined {
  if (typeof value === 'string') return isDisallowedText(value) ? place : undefined;
  if (!isObject(value)) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const inner = place === '' ? name : `${place}.${name}`;
    if (isDisallowedName(name)) return visibleText(inner.slice(0, longestName));
    const found = pathOfDisallowed(member, inner);
    if (found !== undefined) return found;
  }
  return undefined;
}
