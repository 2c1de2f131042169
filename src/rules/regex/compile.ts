import { ecmaScript } from './dialect.ts';
import { linear } from './linear.ts';
import type { Text } from './walk.ts';

/** Halves of a character beyond U+FFFF that stand alone, as in `[\ud800-\udbff][\udc00-\udfff]`. */
const halves = /[\ud800-\udfff]|\\ud[89ab]..(?!\\ud[c-f])|(?<!\\ud[89ab]..)\\ud[c-f]/iu;
const beyondPlane = /[\u{10000}-\u{10ffff}]/u;

/** A character beyond U+FFFF, such as an emoji, counts as one, as in every length of the console. */
function codePointsOf(value: string): Text {
  if (!beyondPlane.test(value)) return value;
  const points = Uint32Array.from(value, (character) => character.codePointAt(0) ?? 0);
  return {
    length: points.length,
    charCodeAt: (at) => points[at] ?? NaN,
    charAt: (at) => (points[at] === undefined ? '' : String.fromCodePoint(points[at])),
  };
}

/** Compiles a pattern of any dialect. One that names halves of characters is ECMAScript that reads code units. */
export function compile(regex: string) {
  if (!halves.test(regex)) return { ...linear(ecmaScript(regex), 'v'), read: codePointsOf };
  new RegExp(regex);
  return { ...linear(regex, ''), read: (value: string): Text => value };
}
