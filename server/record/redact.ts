import { secretIsSet } from '#contract/secrets.ts';
import { maskOf, maskTokens } from '#server/mask.ts';
import type { TimelineMessage } from '#contract/timeline.ts';

/** What stands for a secret in the record, so that a copied command can be filled in. */
const redaction = '$TOKEN';

/** Characters of a body that are kept. */
const longestBody = 32 * 1024;
/** A secret that begins before the end of what is kept is recognised as a whole within so many more characters. */
const margin = 8 * 1024;

/**
 * A text under a name that says it is secret, also in JSON within JSON: it ends at a quote that has as many backslashes
 * as the one it begins with.
 */
const named =
  /((\\*)"[\w-]*(?:api[-_]?key|signing[-_]?key|token|jwt|secret|password)\2"\s*:\s*\2")(?:[^"\\]|\\+(?![\\"])|(?!\2")\\+")*/gi;
/** A parameter of an address that carries a key of its own, such as a payment file's link. */
const parameter = /([?&](?:[\w.-]*(?:token|jwt|signature)[\w.-]*|[\w.-]*api[-_]?key|key|sig|code)=)[^&#"'\s\\]+/gi;

const secretHeaders = ['authorization', 'cookie', 'set-cookie', 'proxy-authorization'];

/** A text without these secrets, without tokens, and without what stands under a secret's name. */
export const redacted = (text: string, secrets: readonly string[]): string =>
  maskTokens(maskOf(secrets)(text))
    .replace(named, `$1${redaction}`)
    .replace(parameter, `$1${redaction}`)
    .replaceAll(secretIsSet, redaction);

/** A part of a text would keep the whole in memory. */
const copied = (text: string): string => Buffer.from(text).toString();

/** One side of an exchange as it is kept; a long body is cut short. */
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
  // Looked at together first, as most headers hold nothing to be found.
  const all = given.map(([, value]) => value).join('\n');
  const isClean = redacted(all, secrets) === all;
  return {
    headers: Object.fromEntries(given.map(([name, value]) => [name, isClean ? value : redacted(value, secrets)])),
    body: copied(redacted(body.slice(0, most + margin), secrets).slice(0, most)),
    bytes: Buffer.byteLength(body),
  };
}
