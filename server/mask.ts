import { LRUCache } from 'lru-cache';
import { maskedAt, placesOf, secretsIn, tokensIn } from '#contract/masking.ts';
import type { Find, Place } from '#contract/masking.ts';
import { secretIsSet } from '#contract/secrets.ts';

/** Returns the text with each secret replaced by `secretIsSet`. */
export type Mask = (text: string) => string;

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

/**
 * Returns all encodings of a secret to look for; `latin1` matches percent-encoded text, which is decoded byte by byte.
 */
function encodingsOf(secret: string): string[] {
  if (secret.length < shortest) return [];
  const bytes = Buffer.from(secret);
  const plain = [secret, bytes.toString('latin1')];
  if (secret.length < shortestEncoded) return plain;
  const hex = bytes.toString('hex');
  return [...plain, ...inBase64(secret), hex, hex.toUpperCase()];
}

/** Cached, because the texts of every call are searched for the same few secrets. */
const forms = new LRUCache<string, string[]>({ max: 500, memoMethod: encodingsOf });
const formsOf = (secret: string): string[] => forms.memo(secret);

const formsOfAll = (secrets: readonly string[]): readonly string[] => [...new Set(secrets.flatMap(formsOf))];

/** Finds these forms in a text. */
const findOf =
  (forms: readonly string[]): Find =>
  (text) => {
    const places: Place[] = [];
    for (const form of forms)
      for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length))
        places.push([at, at + form.length]);
    return places;
  };

/**
 * Returns a function that masks these secrets, also if they are escaped as in JSON, URLs or HTML (even repeatedly), or
 * encoded in Base64 or hexadecimal.
 */
export const maskOf = (secrets: readonly string[]): Mask => {
  const find = findOf(formsOfAll(secrets));
  return (text) => maskedAt(text, placesOf(text, find));
};

/**
 * Returns a function that masks these secrets and everything that has the form, the name or the place of one, in every
 * encoding of `maskOf`.
 */
export const maskAll = (secrets: readonly string[]): Mask => {
  const known = findOf(formsOfAll(secrets));
  const find: Find = (text) => [...known(text), ...secretsIn(text)];
  return (text) => maskedAt(text, placesOf(text, find));
};

/** Masks everything that has the form of a JWT, or of a token of a program (programs/tokens.ts). */
export const maskTokens: Mask = (text) => maskedAt(text, placesOf(text, tokensIn));

/** Maximum length (characters) of an answer whose escapes are decoded; decoding takes time and memory. */
const longestDecoded = 256 * 1024;

/**
 * Like `maskOf`, for answers that the console uses: a text without secrets is returned unchanged at little cost; short
 * secrets are ignored, because ids and names may contain them; in very long answers, escaped secrets are not found.
 */
export function maskOfAnswers(secrets: readonly string[]): Mask {
  const forms = formsOfAll(secrets.filter((secret) => secret.length >= shortestEncoded));
  const find = findOf(forms);
  return (text) => {
    if (text.length > longestDecoded) return forms.reduce((shown, form) => shown.replaceAll(form, secretIsSet), text);
    return maskedAt(text, placesOf(text, find));
  };
}
