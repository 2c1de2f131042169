/**
 * Escapes of regular expressions as other dialects (PCRE, .NET, Java, Python, Ruby, POSIX) write them, for
 * `dialect.ts`.
 */

/** What stands at a place of a pattern: one character, characters as the content of a class, or anything else. */
export type Item = { to: number } & (
  { code: number } | { set: string; negated?: boolean } | { source: string } | { quoted: string }
);

export const unreadable = (what: string): SyntaxError => new SyntaxError(`${what} is of another dialect`);

/** A character as it is written in and outside classes. */
export const literalOf = (code: number): string =>
  /\w/.test(String.fromCodePoint(code)) ? String.fromCodePoint(code) : `\\u{${code.toString(16)}}`;

const [blank, vertical] = ['\\t \\xa0\\u1680\\u180e\\u2000-\\u200a\\u202f\\u205f\\u3000', '\\n-\\r\\x85\\u2028\\u2029'];

/** POSIX classes. Beyond ASCII their extent depends on the locale: letters and digits count, so that no rule is stricter. */
const posix: Readonly<Record<string, string>> = {
  alpha: '\\p{Alphabetic}',
  lower: '\\p{Lowercase}',
  upper: '\\p{Uppercase}',
  digit: '\\p{Nd}',
  xdigit: '\\da-fA-F',
  alnum: '\\p{Alphabetic}\\p{Nd}',
  word: '\\p{Alphabetic}\\p{M}\\p{Nd}_',
  punct: '\\p{P}$+<=>^`\\x7c~',
  blank,
  space: `\\s${vertical}`,
  cntrl: '\\p{Cc}',
  ascii: '\\x00-\\x7f',
  graph: '\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}',
  print: '\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Zs}',
};
/** The same in ASCII, for a negated class. */
const posixAscii: Readonly<Record<string, string>> = {
  alpha: 'a-zA-Z',
  lower: 'a-z',
  upper: 'A-Z',
  digit: '\\d',
  xdigit: '\\da-fA-F',
  alnum: 'a-zA-Z\\d',
  word: '\\w',
  punct: '!-\\/:-@\\x5b-`\\x7b-~',
  blank: '\\t ',
  space: '\\t-\\r ',
  cntrl: '\\x00-\\x1f\\x7f',
  ascii: '\\x00-\\x7f',
  graph: '!-~',
  print: ' -~',
};

/** The content of a POSIX class; undefined for an unknown name. */
export const posixSet = (name: string, isNegated: boolean): string | undefined =>
  (isNegated ? posixAscii : posix)[name.toLowerCase()];

function isProperty(name: string): boolean {
  try {
    return new RegExp(`\\p{${name}}`, 'u').global === false;
  } catch {
    return false;
  }
}

/** The content of a class for a property by its name in any dialect: L, Latin, IsLatin, script=Latin, Alpha, L&. */
function propertySet(written: string): string {
  const name = written.trim();
  const bare = name.replace(/^Is_?/i, '').replace(/^(script|sc)=/i, '');
  const candidates = [name === 'L&' ? 'LC' : name, bare, `Script=${bare}`];
  const capital = bare.charAt(0).toUpperCase() + bare.slice(1).toLowerCase();
  const found = [...candidates, capital, `Script=${capital}`].find(isProperty);
  const set = found === undefined ? posixSet(bare, false) : `\\p{${found}}`;
  if (set === undefined) throw unreadable(`\\p{${written}}`);
  return set;
}

/** Escapes by their letter: characters, sets of characters, and assertions. */
const codes: Readonly<Record<string, number>> = { a: 7, e: 27, f: 12, n: 10, r: 13, t: 9, v: 11 };
const sets: Readonly<Record<string, Pick<Extract<Item, { set: string }>, 'set' | 'negated'>>> = {
  d: { set: '\\d' },
  D: { set: '\\D' },
  w: { set: '\\w' },
  W: { set: '\\W' },
  s: { set: '\\s' },
  S: { set: '\\S' },
  h: { set: blank },
  H: { set: blank, negated: true },
  V: { set: vertical, negated: true },
  N: { set: '\\n', negated: true },
};
const assertions: Readonly<Record<string, string>> = {
  b: '\\b',
  B: '\\B',
  A: '^',
  G: '^',
  z: '$',
  Z: '(?:(?=\\n?$))',
  K: '',
  E: '',
  R: `(?:\\r\\n|[${vertical}])`,
};

/** A character beyond U+FFFF, written as its two halves. */
const pair = ([, high = '', low = '']: RegExpExecArray): object => ({
  code: 0x10000 + ((parseInt(high, 16) & 0x3ff) << 10) + (parseInt(low, 16) & 0x3ff),
});

/** Escapes with an argument, with what each stands for. */
const withArgument: readonly (readonly [RegExp, (found: RegExpExecArray) => object])[] = [
  [/Q([^]*?)(?:\\E|$)/y, ([, quoted = '']) => ({ quoted })],
  [/u(d[89ab]..)\\u(d[c-f]..)/iy, pair],
  [/x\{([\da-f]{1,6})\}|x([\da-f]{2})|u\{([\da-f]{1,6})\}|u([\da-f]{4})|N\{U\+([\da-f]{1,6})\}/iy, hexadecimal],
  [/o\{([0-7]{1,7})\}|(0[0-7]{0,2})/y, ([, braced, bare]) => ({ code: parseInt(braced ?? bare ?? '', 8) })],
  [/c([A-Za-z])/y, ([, letter = '']) => ({ code: letter.charCodeAt(0) % 32 })],
  [/([pP])(?:\{(\^?)([^{}]{1,60})\}|([A-Z]))/y, property],
  [/k(?:<(\w+)>|'(\w+)'|\{(\w+)\})|g\{([A-Za-z_]\w*)\}/y, (found) => ({ source: `\\k<${firstOf(found)}>` })],
  [/g\{?(\d+)\}?|([1-9]\d?)/y, (found) => ({ source: `(?:\\${firstOf(found)})` })],
];

const firstOf = (found: RegExpExecArray): string => found.slice(1).find((each) => each !== undefined) ?? '';

function hexadecimal(found: RegExpExecArray): object {
  const code = parseInt(firstOf(found), 16);
  if (code > 0x10ffff) throw unreadable(`\\${found[0]}`);
  return { code };
}

function property([, letter, caret, braced, single]: RegExpExecArray): object {
  return { set: propertySet(braced ?? single ?? ''), negated: (letter === 'P') !== (caret === '^') };
}

/** Reads the escape whose backslash is at `at`. Throws a SyntaxError for one that has no meaning in ECMAScript. */
export function escapeAt(regex: string, at: number): Item {
  const letter = String.fromCodePoint(regex.codePointAt(at + 1) ?? 0x5c);
  if (at + 1 >= regex.length) throw new SyntaxError('\\ at end of pattern');
  for (const [pattern, read] of withArgument) {
    pattern.lastIndex = at + 1;
    const found = pattern.exec(regex);
    if (found) return { to: pattern.lastIndex, ...read(found) } as Item; // as `withArgument` declares
  }
  const to = at + 1 + letter.length;
  const [code, set, source] = [codes[letter], sets[letter], assertions[letter]];
  if (code !== undefined) return { to, code };
  if (set) return { to, ...set };
  if (source !== undefined && !regex.startsWith('{', to)) return { to, source };
  if (/[A-Za-z0-9]/.test(letter)) throw unreadable(`\\${letter}`);
  if (/^\{\d+(?:,\d*)?\\\}/.test(regex.slice(at + 1, at + 20))) throw unreadable('\\{');
  return { to, code: letter.codePointAt(0) ?? 0 };
}
