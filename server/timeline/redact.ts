import { isSecretName } from '#contract/secretNames.ts';
import { secretWord, secretWordFor } from '#contract/secrets.ts';
import { maskAll, type Mask } from '#server/mask.ts';
import type { TimelineMessage } from '#contract/timeline.ts';
import type { RecordedBody } from './recordedBody.ts';

/** Placeholders for the keys in headers, by the end of the header's name; any other secret is a token. */
const keyPlaceholders: readonly (readonly [RegExp, string])[] = [
  [/api[-_]?key$/, '$API_KEY'],
  [/webhook[-_]?key$/, '$WEBHOOK_KEY'],
  [/signing[-_]?key$/, '$SIGNING_KEY'],
];

const placeholderOf = (header: string, value: string): string => {
  const [scheme = ''] = /authorization$/.test(header) ? (/^(?:basic|bearer|digest|dpop) /i.exec(value) ?? []) : [];
  return scheme + (keyPlaceholders.find(([pattern]) => pattern.test(header))?.[1] ?? secretWord);
};

/** Maximum number of characters stored of a body. */
const maximumBody = 32 * 1024;
/** Number of characters searched beyond that, so that a secret that crosses the limit is recognised. */
const margin = 8 * 1024;

/** Copies a text: a substring would keep the whole text in memory. */
const copied = (text: string): string => Buffer.from(text).toString();

/** A request or an answer as it was sent. */
export interface Side extends Omit<RecordedBody, 'bytes'> {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The full length; by default that of `body`. */
  bytes?: number;
}

/**
 * Stands between texts that are masked together. No form of a secret extends over a blank and a NUL; some begin only at
 * the beginning of a text or after a NUL (contract/secretShapes.ts).
 */
const between = ' \u0000';

/** Masks texts in one search, each secret by one word that none of them holds. */
function maskedTogether(mask: Mask, texts: readonly string[]) {
  const word = secretWordFor(texts.join(between));
  const masked = texts.some((text) => text.includes('\u0000')) ? [] : mask(texts.join(between), word).split(between);
  // A secret that extends over several texts is an open quote or element: it ends with its own text.
  return { word, masked: masked.length === texts.length ? masked : texts.map((text) => mask(text, word)) };
}

/** Masks what is stored of one entry. */
export interface Redactor {
  text(text: string): string;
  /** Returns one side of an exchange as it is stored; a long body is truncated. `bytes` is the full length. */
  message(side: Side, maximum?: number): TimelineMessage;
}

/**
 * Returns a redactor that masks these secrets, all tokens, all values and parameters whose names denote a secret, and
 * the links of payment files, in every encoding of `maskAll`.
 */
export function redactor(secrets: readonly string[]): Redactor {
  const mask = maskAll(secrets);
  const redact = (text: string): string => (text === '' ? '' : mask(text, secretWord));

  return {
    text: redact,
    message({ headers, body, bytes, encoding, contentBytes, isCut = false }, maximum = maximumBody) {
      const named = Object.entries(headers).flatMap(([header, value]): [name: string, value: string][] =>
        value === undefined ? [] : [[header.toLowerCase(), String(value)]],
      );
      // Secrets in bytes are searched in the bytes: in Latin-1 each byte is one character.
      const plain = encoding === undefined ? body : Buffer.from(body, encoding).toString('latin1');
      const isLong = plain.length > maximum + margin;
      const beginning = isLong ? plain.slice(0, maximum + margin) : plain;
      const { word, masked } = maskedTogether(mask, [
        beginning,
        ...named.map(([name, value]) => (isSecretName(name) ? '' : value)),
      ]);
      const [searched = '', ...values] = masked;
      const isTruncated = isLong || searched.length > maximum;
      const kept = isTruncated ? copied(searched.slice(0, maximum)) : searched;
      return {
        headers: Object.fromEntries(
          named.map(([name, value], at) => [
            name,
            isSecretName(name) ? placeholderOf(name, value) : (values[at] ?? ''),
          ]),
        ),
        body: encoding === undefined ? kept : Buffer.from(kept, 'latin1').toString(encoding),
        bytes: bytes ?? Buffer.byteLength(plain, encoding && 'latin1'),
        ...(encoding && { encoding }),
        ...(contentBytes !== undefined && { contentBytes }),
        ...(kept.includes(word) && { secretAs: word }),
        ...((isTruncated || isCut) && { truncated: true }),
      };
    },
  };
}
