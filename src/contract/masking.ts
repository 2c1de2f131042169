import { secretIsSet } from './secrets.ts';

/** Start and end of a part of a text; a number in JSON is `quoted` when it is replaced, so that it stays JSON. */
export type Place = readonly [from: number, to: number, quoted?: 'quoted' | undefined];
/** Finds secrets in a text that is not encoded. */
export type Find = (text: string) => Place[];

/** Maximum number of nested escapes, and of nested Base64 or hexadecimal, that are decoded. */
const [mostLayers, mostBlocks] = [6, 2];

/** The matches of a pattern. Whether there are any is asked first: most texts have none, and a list takes longer to begin. */
export const matchesIn = (text: string, pattern: RegExp): Iterable<RegExpExecArray> =>
  text.search(pattern) === -1 ? [] : text.matchAll(pattern);

/** Matches a character escaped as in JSON, Markdown, a URL or HTML, or one without width, which splits a word unseen. */
const escape =
  /\\u([\da-f]{4})|\\u\{([\da-f]{1,6})\}|\\x([\da-f]{2})|%u([\da-f]{4})|%([\da-f]{2})|&#x0*([\da-f]{1,6});?|&#0*(\d{1,7});?|\\(["\\/nrt._-])|&(amp|lt|gt|quot|apos|sol|plus|equals|colon|period|lowbar|quest);|[\u00ad\u034f\u061c\u180e\u200b-\u200f\u2060-\u2064\ufeff]/gi;
const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  sol: '/',
  plus: '+',
  equals: '=',
  colon: ':',
  period: '.',
  lowbar: '_',
  quest: '?',
};

const lineMarks: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** A decoded text, with the source position of each of its characters and of its end; absent if nothing is decoded. */
interface Layer {
  text: string;
  starts?: Uint32Array;
}

/** The character of an escape, from the groups of the match; undefined if there is none. */
function unescaped(found: readonly (string | undefined)[]): string | undefined {
  const [, u, uBraced, x, percentU, percent, entityHex, entity, mark, name] = found;
  const hex = u ?? uBraced ?? x ?? percentU ?? percent ?? entityHex;
  const code = hex === undefined ? Number(entity ?? NaN) : parseInt(hex, 16);
  return (
    (mark === undefined ? undefined : (lineMarks[mark] ?? mark)) ??
    (found[0]?.length === 1 ? '' : undefined) ??
    (name ? entities[name.toLowerCase()] : undefined) ??
    (code < 0x10000 ? String.fromCharCode(code) : undefined)
  );
}

/** Decodes one level of escapes; undefined if the text contains no escapes. */
const read = (layer: Layer): Layer | undefined => decoded(layer, escape, unescaped);

/** Quoted-printable: bytes in hexadecimal, and lines that go on. A URL's "=" before such digits is read as well. */
const quotedPrintable = /=([\dA-F]{2})|=\r?\n/g;
const readQuotedPrintable = (source: string): Layer | undefined =>
  decoded({ text: source }, quotedPrintable, ([, hex]) =>
    hex === undefined ? '' : String.fromCharCode(parseInt(hex, 16)),
  );

/** Replaces what a pattern matches by what it stands for; undefined if there is nothing to replace. */
function decoded(
  { text, starts }: Layer,
  pattern: RegExp,
  meaning: (found: readonly (string | undefined)[]) => string | undefined,
): Layer | undefined {
  const parts: string[] = [];
  let [copied, length, from] = [0, 0, undefined as Uint32Array | undefined]; // `from`: most texts have no escapes
  const add = (at: number) => {
    from ??= new Uint32Array(text.length + 1);
    from[length] = starts ? starts[at]! : at; // one per character, and the end
    length += 1;
  };
  const copy = (to: number) => {
    parts.push(text.slice(copied, to));
    for (let at = copied; at < to; at += 1) add(at);
  };
  for (const found of matchesIn(text, pattern)) {
    const characters = meaning(found);
    if (characters === undefined) continue;
    copy(found.index);
    parts.push(characters);
    if (characters !== '') add(found.index);
    copied = found.index + found[0].length;
  }
  if (copied === 0) return undefined;
  copy(text.length);
  add(text.length);
  return { text: parts.join(''), starts: from!.subarray(0, length) }; // the end was added
}

/**
 * Matches the Base64 of at least 15 ASCII characters, in either alphabet: each of four characters has a bit that is 0 if
 * the bytes are ASCII, so that ids and words rarely match.
 */
const base64 = /(?:[A-Za-f][A-HQ-Xg-nw-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][\w+/-]){5,}[\w+/-]{0,3}={0,2}/g;
/** Matches the hexadecimal digits of at least 10 ASCII characters. */
const hexadecimal = /(?:[2-7][\da-f][: -]?){9,}[2-7][\da-f]/gi;
/** Matches Base64 in several lines, as mail and PEM have it, and a token that lines break. */
const inLines = /(?<![\w+/.-])(?:[\w+/.-]{4,80}\r?\n[ \t]{0,9})+[\w+/.-]{1,80}={0,2}/g;

/** Minimum length of what is read as one text although lines break it: less holds no token. */
const shortestInLines = 20;

/** Decodes Base64 in either alphabet; one byte per character. */
function fromBase64(text: string): string {
  const whole = text.replaceAll('-', '+').replaceAll('_', '/').replaceAll('=', '');
  return atob(whole.length % 4 === 1 ? whole.slice(0, -1) : whole);
}
const fromHexadecimal = (text: string): string =>
  text.replaceAll(/[: -]/g, '').replace(/../g, (digits) => String.fromCharCode(parseInt(digits, 16)));

const blocksOf = (text: string, pattern: RegExp, decode: (block: string) => string) =>
  Array.from(matchesIn(text, pattern), ({ 0: block, index }) => ({ block, index, decoded: decode(block) }));

/** The parts of a text that are encoded as a block, with what they stand for. */
const blocksIn = (text: string) => [
  ...blocksOf(text, base64, fromBase64),
  ...blocksOf(text, hexadecimal, fromHexadecimal),
  ...(text.includes('\n') ? blocksOf(text, inLines, (block) => block.replaceAll(/\s/g, '')) : []).filter(
    ({ decoded }) => decoded.length >= shortestInLines,
  ),
];

/**
 * Returns the places of the secrets that `find` finds in a text, also where they are escaped as in JSON, URLs or HTML,
 * or within Base64, hexadecimal or quoted-printable, even repeatedly. Places may overlap; a block with a secret is one place.
 */
export function placesOf(source: string, find: Find, blocks = mostBlocks): Place[] {
  const printable = readQuotedPrintable(source);
  return [{ text: source }, ...(printable ? [printable] : [])].flatMap((layer) => placesFrom(layer, find, blocks));
}

function placesFrom(first: Layer, find: Find, blocks: number): Place[] {
  const places: Place[] = [];
  let layer: Layer | undefined = first;
  for (let layers = 0; layer && layers <= mostLayers; layers += 1) {
    const { text, starts }: Layer = layer;
    const add = (from: number, to: number) => places.push(starts ? [starts[from]!, starts[to]!] : [from, to]); // within
    for (const [from, to, quoted] of find(text))
      if (starts) add(from, to);
      else places.push([from, to, quoted]);
    if (blocks > 0)
      for (const { block, index, decoded } of blocksIn(text))
        if (placesOf(decoded, find, blocks - 1).length > 0) add(index, index + block.length);
    layer = read(layer);
  }
  return places;
}

/** Returns the text with `mark` in place of each secret. */
export function maskedAt(source: string, places: readonly Place[], mark = secretIsSet): string {
  if (places.length === 0) return source;
  let [shown, shownTo] = ['', 0];
  for (const [from, to, quoted] of places.toSorted(([a], [b]) => a - b)) {
    if (from >= shownTo) shown += source.slice(shownTo, from) + (quoted ? `"${mark}"` : mark);
    shownTo = Math.max(shownTo, to);
  }
  return shown + source.slice(shownTo);
}
