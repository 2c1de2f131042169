import { LRUCache } from 'lru-cache';
import { maskedAt, placesOf, type Find, type Place } from '#contract/masking.ts';
import { secretsIn, tokensIn } from '#contract/secretShapes.ts';
import { secretIsSet } from '#contract/secrets.ts';

/** Returns the text with each secret replaced by `mark`, by default `secretIsSet`. */
export type Mask = (text: string, mark?: string) => string;

/**
 * Minimum lengths of secrets that are masked in plain text and in other encodings; shorter ones would match by chance.
 */
const [shortest, shortestEncoded] = [4, 8];

/** The parts of a text's Base64 that are the same whatever text surrounds it, for all three alignments. */
const inBase64 = (text: string): string[] =>
  [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)];
    return (['base64', 'base64url'] as const).map((alphabet) => bytes.toString(alphabet).slice(from, to));
  });

/** A key in Base64 without its padding or prefix, for addresses, with "+" read as a blank as in forms, and its bytes. */
function inForms(secret: string): string[] {
  const bare = secret.replace(/^whsec_/, '').replace(/=+$/, '');
  if (bare.length < shortestEncoded) return [];
  const bytes = /^[\w+/-]{16,}$/.test(bare) ? [Buffer.from(bare, 'base64').toString('hex')] : [];
  const safe = bare.replaceAll('+', '-').replaceAll('/', '_');
  return [bare, bare.replaceAll('+', ' '), safe, ...bytes];
}

/**
 * Returns all encodings of a secret to look for; `latin1` matches percent-encoded text, which is decoded byte by byte.
 */
function encodingsOf(secret: string): string[] {
  if (secret.length < shortest) return [];
  const bytes = Buffer.from(secret);
  const plain = [secret, bytes.toString('latin1'), ...inForms(secret)];
  if (secret.length < shortestEncoded) return plain;
  const hex = bytes.toString('hex');
  return [...plain, ...inBase64(secret), hex, hex.toUpperCase()];
}

/** Cached, because the texts of every call are searched for the same few secrets. */
const forms = new LRUCache<string, string[]>({ max: 500, memoMethod: encodingsOf });
const formsOf = (secret: string): string[] => forms.memo(secret);

/** Lists of forms by their secrets: all calls of a client have the same. */
const lists = new LRUCache<string, readonly string[]>({
  max: 500,
  memoMethod: (secrets) => [...new Set((JSON.parse(secrets) as string[]).flatMap(formsOf))], // as below
});
const formsOfAll = (secrets: readonly string[]): readonly string[] => lists.memo(JSON.stringify(secrets));

/** The places of these forms in a text, with the padding of Base64. */
function placesIn(text: string, forms: readonly string[]): Place[] {
  const places: Place[] = [];
  for (const form of forms)
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length)) {
      let to = at + form.length;
      while (text[to] === '=') to += 1;
      places.push([at, to]);
    }
  return places;
}

/** A text without line breaks, and where each of its pieces begins in it and in the text. */
function inOneLine(text: string): { line: string; begins: { inLine: number; inText: number }[] } {
  const begins = [{ inLine: 0, inText: 0 }];
  const pieces: string[] = [];
  let [from, length] = [0, 0];
  for (const { 0: lineBreak, index } of text.matchAll(/[\r\n]+[ \t]*/g)) {
    pieces.push(text.slice(from, index));
    length += index - from;
    from = index + lineBreak.length;
    begins.push({ inLine: length, inText: from });
  }
  pieces.push(text.slice(from));
  return { line: pieces.join(''), begins };
}

/** Finds these forms in a text, long ones also across line breaks. */
const findOf = (forms: readonly string[]): Find => {
  const long = forms.filter(({ length }) => length >= shortestEncoded);
  return (text) => {
    const places = placesIn(text, forms);
    if (!/[\r\n]/.test(text)) return places;
    const { line, begins } = inOneLine(text);
    const textAt = (at: number): number => {
      const { inLine, inText } = begins.findLast((each) => each.inLine <= at) ?? { inLine: 0, inText: 0 };
      return inText + at - inLine;
    };
    return [...places, ...placesIn(line, long).map(([from, to]): Place => [textAt(from), textAt(to - 1) + 1])];
  };
};

/**
 * Returns a function that masks these secrets, also if they are escaped as in JSON, URLs or HTML (even repeatedly), or
 * encoded in Base64 or hexadecimal.
 */
export const maskOf = (secrets: readonly string[]): Mask => {
  const find = findOf(formsOfAll(secrets));
  return (text, mark) => maskedAt(text, placesOf(text, find), mark);
};

/** Makes each mask once, by its secrets: those of one client are the same for most of its calls. */
function madeOnce(make: (secrets: readonly string[]) => Mask): (secrets: readonly string[]) => Mask {
  const known = new LRUCache<string, Mask>({ max: 100 });
  return (secrets) => {
    const key = secrets.join('\u0000');
    const mask = known.get(key) ?? make(secrets);
    known.set(key, mask);
    return mask;
  };
}

/**
 * Returns a function that masks these secrets and everything that has the form, the name or the place of one, in every
 * encoding of `maskOf`.
 */
export const maskAll = madeOnce((secrets): Mask => {
  const known = findOf(formsOfAll(secrets));
  const find: Find = (text) => [...known(text), ...secretsIn(text)];
  return (text, mark) => maskedAt(text, placesOf(text, find), mark);
});

/** Masks everything that has the form of a JWT, or of a token of a program (programs/tokens.ts). */
export const maskTokens: Mask = (text) => maskedAt(text, placesOf(text, tokensIn));

/** Maximum length (characters) of an answer whose escapes are decoded; decoding takes time and memory. */
const longestDecoded = 256 * 1024;

/**
 * Like `maskOf`, for answers that the console uses: a text without secrets is returned unchanged at little cost; short
 * secrets are ignored, because ids and names may contain them; in very long answers, escaped secrets are not found.
 */
export const maskOfAnswers = madeOnce((secrets): Mask => {
  const forms = formsOfAll(secrets.filter((secret) => secret.length >= shortestEncoded));
  const find = findOf(forms);
  return (text) => {
    if (text.length > longestDecoded) return forms.reduce((shown, form) => shown.replaceAll(form, secretIsSet), text);
    return maskedAt(text, placesOf(text, find));
  };
});

/** The mask of a secret in UTF-8, written as Latin-1. */
const maskInLatin1 = Buffer.from(secretIsSet).toString('latin1');

/** Masks secrets in bytes of any charset; returns the same bytes if there are none. */
export function maskedBytes(bytes: Buffer, mask: Mask): Buffer {
  // In Latin-1 each byte is one character.
  const text = bytes.toString('latin1');
  const shown = mask(text);
  return shown === text ? bytes : Buffer.from(shown.replaceAll(secretIsSet, maskInLatin1), 'latin1');
}
