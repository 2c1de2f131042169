import { linear, type Reading } from './linear.ts';
import type { Text } from './walk.ts';

/** Halves of a character beyond U+FFFF that stand alone, as in `[\ud800-\udbff][\udc00-\udfff]`. */
const halves = /[\ud800-\udfff]|\\ud[89ab]..(?!\\ud[c-f])|(?<!\\ud[89ab]..)\\ud[c-f]/iu;
/** What has its meaning only where a pattern reads whole characters. */
const wholes = /\\(?:p|u)\{/i;
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
const unitsOf = (value: string): Text => value;

/** The start and the end of a value as .NET writes them. */
const ends: Readonly<Record<string, string>> = { A: '^', z: '$', Z: '(?=\\n?$)' };

/** An escaped mark, which is itself in every dialect but not always with flag u; any other escape as it is. */
function markOrEscape(escape: string, character: string): string {
  if (/[A-Za-z0-9]/.test(character)) return escape;
  const code = character.charCodeAt(0);
  return code < 0x80 ? `\\x${code.toString(16).padStart(2, '0')}` : character;
}

/** A class with its escaped marks, and with the hyphen after `\w`, as in `[\w-.]`, which flag u takes for a range. */
const classOf = (source: string): string =>
  source.replace(/\\(.)(-?)/gsu, (_, character: string, hyphen: string) => {
    const item = markOrEscape(`\\${character}`, character);
    return hyphen && /[dsw]/i.test(character) ? `${item}\\-` : `${item}${hyphen}`;
  });

/** Returns a pattern that JavaScript knows or .NET writes as it is read with flag u, and whether case counts. */
function ecmaScript(written: string): { regex: string; ignoresCase: boolean } {
  const sensitive = written.replace(/^(\^|\\A)?\(\?i\)/, '$1');
  const regex = sensitive.replace(/\[(?:\\.|[^\]\\])*\]|\\(.)/gsu, (source, character?: string) =>
    character === undefined ? classOf(source) : (ends[character] ?? markOrEscape(source, character)),
  );
  return { regex, ignoresCase: sensitive !== written };
}

/**
 * Compiles a pattern of ECMAScript, or one with what .NET writes besides: `\A`, `\z`, `\Z`, and `(?i)` in front. One that
 * names halves of characters reads code units. Throws a SyntaxError for any other pattern.
 */
export function compile(written: string) {
  const { regex, ignoresCase } = ecmaScript(written);
  // Flag u refuses what other dialects read in another sense: `\h`, `a{,3}`, a bracket that closes nothing.
  new RegExp(regex, 'u');
  const isHalved = halves.test(regex);
  if (isHalved && wholes.test(regex)) throw new SyntaxError('It reads both characters and halves of them');
  const reading: Reading = `${ignoresCase ? 'i' : ''}${isHalved ? '' : 'u'}`;
  return { ...linear(regex, reading), read: isHalved ? unitsOf : codePointsOf };
}
