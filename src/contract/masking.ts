import { secretIsSet } from './secrets.ts';

/** Start and end of a part of a text. */
export type Place = readonly [from: number, to: number];
/** Finds secrets in a text that is not encoded. */
export type Find = (text: string) => Place[];

/** Maximum number of nested escapes, and of nested Base64 or hexadecimal, that are decoded. */
const [mostLayers, mostBlocks] = [6, 2];

/** Matches a character escaped as in JSON, a URL or HTML. */
const escape =
  /\\u([\da-f]{4})|\\u\{([\da-f]{1,6})\}|\\x([\da-f]{2})|%u([\da-f]{4})|%([\da-f]{2})|&#x0*([\da-f]{1,6});?|&#0*(\d{1,7});?|\\(["\\/])|&(amp|lt|gt|quot|apos|sol|plus|equals|colon|period|lowbar|quest);/gi;
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

/** A decoded text, with the source position of each of its characters and of its end; absent if nothing is decoded. */
interface Layer {
  text: string;
  starts?: number[];
}

/** The character of an escape, from the groups of the match; undefined if there is none. */
function unescaped(found: readonly (string | undefined)[]): string | undefined {
  const [, u, uBraced, x, percentU, percent, entityHex, entity, mark, name] = found;
  const hex = u ?? uBraced ?? x ?? percentU ?? percent ?? entityHex;
  const code = hex === undefined ? Number(entity ?? NaN) : parseInt(hex, 16);
  return (
    mark ??
    (name ? entities[name.toLowerCase()] : undefined) ??
    (code < 0x10000 ? String.fromCharCode(code) : undefined)
  );
}

/** Decodes one level of escapes; undefined if the text contains no escapes. */
function read({ text, starts }: Layer): Layer | undefined {
  const parts: string[] = [];
  const from: number[] = [];
  let copied = 0;
  const copy = (to: number) => {
    parts.push(text.slice(copied, to));
    for (let at = copied; at < to; at += 1) from.push(starts ? starts[at]! : at); // one per character
  };
  for (const found of text.matchAll(escape)) {
    const character = unescaped(found);
    if (character === undefined) continue;
    copy(found.index);
    parts.push(character);
    from.push(starts ? starts[found.index]! : found.index); // as above
    copied = found.index + found[0].length;
  }
  if (copied === 0) return undefined;
  copy(text.length);
  from.push(starts ? starts.at(-1)! : text.length); // the end
  return { text: parts.join(''), starts: from };
}

/**
 * Matches the Base64 of at least 15 ASCII characters, in either alphabet: each of four characters has a bit that is 0 if
 * the bytes are ASCII, so that ids and words rarely match.
 */
const base64 = /(?:[A-Za-f][A-HQ-Xg-nw-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][\w+/-]){5,}[\w+/-]{0,3}={0,2}/g;
/** Matches the hexadecimal digits of at least 10 ASCII characters. */
const hexadecimal = /(?:[2-7][\da-f]){10,}/gi;

/** Decodes Base64 in either alphabet; one byte per character. */
function fromBase64(text: string): string {
  const whole = text.replaceAll('-', '+').replaceAll('_', '/').replaceAll('=', '');
  return atob(whole.length % 4 === 1 ? whole.slice(0, -1) : whole);
}
const fromHexadecimal = (text: string): string =>
  text.replace(/../g, (digits) => String.fromCharCode(parseInt(digits, 16)));

/** The parts of a text that are encoded as a block, with what they stand for. */
const blocksIn = (text: string) => [
  ...Array.from(text.matchAll(base64), ({ 0: block, index }) => ({ block, index, decoded: fromBase64(block) })),
  ...Array.from(text.matchAll(hexadecimal), ({ 0: block, index }) => ({
    ...{ block, index },
    decoded: fromHexadecimal(block),
  })),
];

/**
 * Returns the places of the secrets that `find` finds in a text, also where they are escaped as in JSON, URLs or HTML,
 * or within Base64 or hexadecimal, even repeatedly. Places may overlap; a block with a secret is one place.
 */
export function placesOf(source: string, find: Find, blocks = mostBlocks): Place[] {
  const places: Place[] = [];
  let layer: Layer | undefined = { text: source };
  for (let layers = 0; layer && layers <= mostLayers; layers += 1) {
    const { text, starts }: Layer = layer;
    const add = (from: number, to: number) => places.push(starts ? [starts[from]!, starts[to]!] : [from, to]); // within
    for (const [from, to] of find(text)) add(from, to);
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
  for (const [from, to] of places.toSorted(([a], [b]) => a - b)) {
    if (from >= shownTo) shown += source.slice(shownTo, from) + mark;
    shownTo = Math.max(shownTo, to);
  }
  return shown + source.slice(shownTo);
}

/** Matches what consists of parts like a JWT, signed or encrypted. */
const parts = /(?<![\w-])[\w-]{11,}\.(?:[\w-]{8,})?\.[\w-]*(?:\.[\w-]+){0,2}/g;
/** Matches the first part of a JWT, which something may precede. */
const jwtHeader = /eyJ[\w-]{8,}\./;
/** Matches a program's token (server/programs/tokens.ts). */
const programToken = /pocp_[\w-]{43}/g;
/**
 * Matches a text value whose name denotes a secret, also in JSON within JSON: the value ends at a quote preceded by as
 * many backslashes as the opening quote. The link to a payment file authorises itself.
 */
const named =
  /((\\*)"[\w-]{0,60}(?:api[-_]?key|signing[-_]?key|token|jwt|secret|password|payment[-_]?file)\2"\s*:\s*\2")(?:[^"\\]|\\+(?![\\"])|(?!\2")\\+")*/gi;
/** Matches a parameter that contains a key or token, in a query, a fragment or a form. */
const parameter =
  /((?:^|[?&#])(?:[\w.-]{0,60}(?:token|jwt|signature|secret|password)[\w.-]{0,60}|[\w.-]{0,60}api[-_]?key|key|sig|code|proof)=)[^&#"'\s\\<>]+/gi;
/** Matches a long value after a secret's name, as in a header or a command. */
const said =
  /((?:(?:api|signing)[-_]?key|token|jwt|secret|password)\\*["']?\s{0,9}[:=]\s{0,9}\\*["']?)(?:[^\s"'\\&,;<>]|\\[^"\\]){16,}/gi;
/** Matches the link to a payment file in an address of the console. */
const fileLink = /(\/api\/downloadpaymentfile\/)[^"'\s\\<>]+/gi;

/** Finds what has the form of a token. */
export const tokensIn: Find = (text) => [
  ...Array.from(text.matchAll(parts), ({ 0: whole, index }): Place => {
    const at = whole.search(jwtHeader);
    return at === -1 ? [index, index] : [index + at, index + whole.length];
  }).filter(isFilled),
  ...matchesOf(programToken, text),
];

/** Finds tokens, and what has a secret's name or stands where a secret stands. */
export const secretsIn: Find = (text) => [
  ...tokensIn(text),
  ...[named, parameter, said, fileLink].flatMap((each) => matchesOf(each, text)),
];

const isFilled = ([from, to]: Place): boolean => from < to;

/** The places of a pattern's matches, without the first group. */
const matchesOf = (pattern: RegExp, text: string): Place[] =>
  Array.from(text.matchAll(pattern), ({ 0: whole, 1: before = '', index }): Place => [
    index + before.length,
    index + whole.length,
  ]).filter(isFilled);
