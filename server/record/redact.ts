import { LRUCache } from 'lru-cache';
import { secretIsSet } from '#contract/secrets.ts';
import { maskOf, maskTokens } from '#server/mask.ts';
import type { TimelineMessage } from '#contract/timeline.ts';

/** Replaces a secret in the timeline, so that a copied command can be completed with the real one. */
const redaction = '$TOKEN';

/** Maximum number of characters stored of a body. */
const longestBody = 32 * 1024;
/** Number of characters searched beyond that, so that a secret that crosses the limit is recognised. */
const margin = 8 * 1024;

/**
 * Matches a text value whose name denotes a secret, also in JSON within JSON: the value ends at a quote preceded by as
 * many backslashes as the one at its beginning.
 */
const named =
  /((\\*)"[\w-]*(?:api[-_]?key|signing[-_]?key|token|jwt|secret|password)\2"\s*:\s*\2")(?:[^"\\]|\\+(?![\\"])|(?!\2")\\+")*/gi;
/** Matches a query parameter that contains a key or token, such as that of a payment file's link. */
const parameter = /([?&](?:[\w.-]*(?:token|jwt|signature)[\w.-]*|[\w.-]*api[-_]?key|key|sig|code)=)[^&#"'\s\\]+/gi;

const secretHeaders = ['authorization', 'cookie', 'set-cookie', 'proxy-authorization'];

/**
 * The latest texts, no longer than `longestKnown` characters, with their redaction: addresses, most headers and many
 * bodies are the same in every exchange.
 */
const known = new LRUCache<string, { secrets: string; text: string }>({
  maxSize: 2 * 1024 * 1024,
  sizeCalculation: ({ text }, key) => key.length + text.length + 1,
});
const longestKnown = 16 * 1024;

/** Matches a text in which nothing can be masked but a secret as it is: without separators and escapes. */
const word = /^[\w-]{1,40}$/;

const redact = (text: string, secrets: readonly string[]): string =>
  maskTokens(maskOf(secrets)(text))
    .replace(named, `$1${redaction}`)
    .replace(parameter, `$1${redaction}`)
    .replaceAll(secretIsSet, redaction);

/** Copies a text, because a part of a text keeps the whole text in memory. */
const copied = (text: string): string => Buffer.from(text).toString();

/** Masks these secrets, all tokens, and all values and query parameters whose names denote a secret. */
export function redacted(text: string, secrets: readonly string[]): string {
  if (text === '') return '';
  if (word.test(text)) return maskOf(secrets)(text).replaceAll(secretIsSet, redaction);
  if (text.length > longestKnown) return redact(text, secrets);
  const all = JSON.stringify(secrets);
  const found = known.get(text);
  if (found?.secrets === all) return found.text;
  const made = redact(text, secrets);
  const kept = copied(made);
  known.set(made === text ? kept : copied(text), { secrets: all, text: kept });
  return kept;
}

/** One side of an exchange in the form in which it is stored; a long body is truncated. `bytes` is the full length. */
export function redactedMessage(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: string,
  secrets: readonly string[],
  most = longestBody,
): TimelineMessage {
  const given = Object.entries(headers).flatMap(([header, value]) => {
    const name = header.toLowerCase();
    return value === undefined ? [] : [[name, secretHeaders.includes(name) ? redaction : String(value)] as const];
  });
  const searched = redacted(body.slice(0, most + margin), secrets);
  const isTruncated = searched.length > most || body.length > most + margin;
  return {
    headers: Object.fromEntries(given.map(([name, value]) => [name, redacted(value, secrets)])),
    body: copied(searched.slice(0, most)),
    bytes: Buffer.byteLength(body),
    ...(isTruncated && { truncated: true }),
  };
}
