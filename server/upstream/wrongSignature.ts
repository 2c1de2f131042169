import { createHmac } from 'node:crypto';

export type Bytes = string | Uint8Array;

/** Another way to sign than the right one. `words` complete "it was not made as it should be: ...". */
export interface Mistake {
  words: string;
  /** The text that was signed. */
  text: Bytes;
  digest: () => Buffer;
}

export const hmac = (hash: string, key: Bytes, text: Bytes): Buffer => createHmac(hash, key).update(text).digest();

/** Number of bytes up to which mistakes are looked for: each of many ways to sign costs time in proportion. */
export const longestExplained = 100_000;

const written = {
  unpadded: (digest: Buffer) => digest.toString('base64').replace(/=+$/, ''),
  urlSafe: (digest: Buffer) => digest.toString('base64').replaceAll('+', '-').replaceAll('/', '_'),
};

/** Wrong ways to write a digest. */
const forms: readonly (readonly [words: string, write: (digest: Buffer) => string])[] = [
  ['it is written in hexadecimal digits instead of Base64', (digest) => digest.toString('hex')],
  ['it is written in hexadecimal digits instead of Base64', (digest) => digest.toString('hex').toUpperCase()],
  ['the “=” at the end of its Base64 are missing', written.unpadded],
  ['it is written in the URL-safe alphabet of Base64, with “-” and “_” instead of “+” and “/”', written.urlSafe],
  [
    'it is written in the URL-safe alphabet of Base64, with “-” and “_” instead of “+” and “/”, and without “=” at its end',
    (digest) => digest.toString('base64url'),
  ],
  [
    'it is the Base64 of hexadecimal digits instead of the bytes',
    (digest) => Buffer.from(digest.toString('hex')).toString('base64'),
  ],
  ['it is written in Base64 twice', (digest) => Buffer.from(digest.toString('base64')).toString('base64')],
  ['it is percent-encoded', (digest) => encodeURIComponent(digest.toString('base64'))],
  ['its “+” have become blanks', (digest) => digest.toString('base64').replaceAll('+', ' ')],
];

/** Returns how a digest was written; '' if it was written correctly, undefined if it is another one. */
function formOf(given: string, digest: Buffer): string | undefined {
  const right = digest.toString('base64');
  if (given === right) return '';
  const form = forms.find(([, write]) => write(digest) === given);
  if (form) return form[0];
  return given.includes(right)
    ? 'something else stands beside it, such as quotes or the name of the algorithm'
    : undefined;
}

/** Finds the mistakes that give this signature: a wrong form of the right one, or one of the mistakes, in any form. */
export function mistakesIn(
  given: string,
  right: Omit<Mistake, 'words'>,
  mistakes: readonly Mistake[],
): Omit<Mistake, 'digest'> | undefined {
  for (const { words, text, digest } of [{ ...right, words: '' }, ...mistakes]) {
    const form = formOf(given, digest());
    if (form !== undefined && words + form !== '') return { words: [words, form].filter(Boolean).join('; '), text };
  }
  return undefined;
}
