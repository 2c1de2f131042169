import { LRUCache } from 'lru-cache';
import { secretIsSet } from '#contract/secrets.ts';
import { maskOf, maskTokens } from '#server/mask.ts';
import type { Mask } from '#server/mask.ts';
import type { TimelineMessage } from '#contract/timeline.ts';

/** Placeholder for a secret in the timeline; to run a copied command, replace it with the real one. */
const redaction = '$TOKEN';

/** Maximum number of characters stored of a body. */
const longestBody = 32 * 1024;
/** Number of characters searched beyond that, so that a secret that crosses the limit is recognised. */
const margin = 8 * 1024;

/**
 * Matches a text value whose name denotes a secret, also in JSON within JSON: the value ends at a quote preceded by as
 * many backslashes as the opening quote.
 */
const named =
  /((\\*)"[\w-]*(?:api[-_]?key|signing[-_]?key|token|jwt|secret|password)\2"\s*:\s*\2")(?:[^"\\]|\\+(?![\\"])|(?!\2")\\+")*/gi;
/** Matches a query parameter that contains a key or token, such as that of a payment file's link. */
const parameter = /([?&](?:[\w.-]*(?:token|jwt|signature)[\w.-]*|[\w.-]*api[-_]?key|key|sig|code)=)[^&#"'\s\\]+/gi;

const secretHeaders = ['authorization', 'cookie', 'set-cookie', 'proxy-authorization'];

/**
 * Redactions of the latest texts of at most `longestKnown` characters: addresses, most headers and many bodies recur in
 * every exchange.
 */
const known = new LRUCache<string, { secrets: string; text: string }>({
  maxSize: 2 * 1024 * 1024,
  sizeCalculation: ({ text }, key) => key.length + text.length + 1,
});
const longestKnown = 16 * 1024;

/** Matches a text that can contain secrets only in plain form, because it has no separators and no escapes. */
const word = /^[\w-]{1,40}$/;

/** Copies a text: a substring would keep the whole text in memory. */
const copied = (text: string): string => Buffer.from(text).toString();

/** Masks the secrets of an entry. */
interface Redactor {
  /** Equal for the same secrets. */
  key: string;
  /** Masks only the secrets. */
  mask: Mask;
}

let latest: { secrets: readonly string[]; redactor: Redactor } | undefined;
/** Cached by list, because one list serves all texts of an entry. */
function redactorOf(secrets: readonly string[]): Redactor {
  if (latest?.secrets !== secrets)
    latest = { secrets, redactor: { key: JSON.stringify(secrets), mask: maskOf(secrets) } };
  return latest.redactor;
}

const redact = (text: string, { mask }: Redactor): string =>
  maskTokens(mask(text))
    .replace(named, `$1${redaction}`)
    .replace(parameter, `$1${redaction}`)
    .replaceAll(secretIsSet, redaction);

/** Masks these secrets, all tokens, and all values and query parameters whose names denote a secret. */
export function redacted(text: string, secrets: readonly string[]): string {
  if (text === '') return '';
  const redactor = redactorOf(secrets);
  if (text.length > longestKnown) return redact(text, redactor);
  const found = known.get(text);
  if (found?.secrets === redactor.key) return found.text;
  if (word.test(text)) {
    const masked = redactor.mask(text).replaceAll(secretIsSet, redaction);
    // Most texts are ids, which do not recur; a key in a header does.
    if (masked !== text) known.set(copied(text), { secrets: redactor.key, text: masked });
    return masked;
  }
  const made = redact(text, redactor);
  const kept = copied(made);
  known.set(made === text ? kept : copied(text), { secrets: redactor.key, text: kept });
  return kept;
}

/** Redactions of immutable messages. */
const unchanging = new WeakMap<object, { secrets: string; most: number; message: TimelineMessage }>();

/** A request or an answer as it was sent. A frozen one is redacted only once. */
interface Side {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  readonly bytes?: number;
}

/** Returns one side of an exchange as it is stored; a long body is truncated. `bytes` is the full length. */
export function redactedMessage(side: Side, secrets: readonly string[], most = longestBody): TimelineMessage {
  if (!Object.isFrozen(side)) return messageOf(side, secrets, most);
  const { key } = redactorOf(secrets);
  const found = unchanging.get(side);
  if (found?.secrets === key && found.most === most) return found.message;
  const message = messageOf(side, secrets, most);
  unchanging.set(side, { secrets: key, most, message });
  return message;
}

function messageOf({ headers, body, bytes }: Side, secrets: readonly string[], most: number): TimelineMessage {
  const shown: [name: string, value: string][] = [];
  for (const [header, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    const name = header.toLowerCase();
    shown.push([name, secretHeaders.includes(name) ? redaction : redacted(String(value), secrets)]);
  }
  const isCut = body.length > most + margin;
  const searched = redacted(isCut ? body.slice(0, most + margin) : body, secrets);
  const isTruncated = isCut || searched.length > most;
  return {
    headers: Object.fromEntries(shown),
    body: isTruncated ? copied(searched.slice(0, most)) : searched,
    bytes: bytes ?? Buffer.byteLength(body),
    ...(isTruncated && { truncated: true }),
  };
}
