import { LRUCache } from 'lru-cache';
import { secretIsSet } from '#contract/secrets.ts';
import { maskAll } from '#server/mask.ts';
import type { Mask } from '#server/mask.ts';
import type { TimelineMessage } from '#contract/timeline.ts';

/** Placeholder for a secret in the timeline; to run a copied command, replace it with the real one. */
const redaction = '$TOKEN';

/** Maximum number of characters stored of a body. */
const longestBody = 32 * 1024;
/** Number of characters searched beyond that, so that a secret that crosses the limit is recognised. */
const margin = 8 * 1024;

/** Matches the name of a header whose value is a secret. */
const secretHeader = /(^|-)(authorization|cookie|set-cookie|(api|signing)[-_]?key|token|jwt|secret|password)$/;

/**
 * Redactions of the latest texts of at most `longestKnown` characters: addresses, most headers and many bodies recur in
 * every exchange.
 */
const known = new LRUCache<string, { secrets: string; text: string }>({
  maxSize: 2 * 1024 * 1024,
  sizeCalculation: ({ text }, key) => key.length + text.length + 1,
});
const longestKnown = 16 * 1024;

/** Matches a text that is hardly ever repeated, such as an id. */
const word = /^[\w-]{1,40}$/;

/** Copies a text: a substring would keep the whole text in memory. */
const copied = (text: string): string => Buffer.from(text).toString();

/** Masks the secrets of an entry. */
interface Redactor {
  /** Equal for the same secrets. */
  key: string;
  mask: Mask;
}

let latest: { secrets: readonly string[]; redactor: Redactor } | undefined;
/** Cached by list, because one list serves all texts of an entry. */
function redactorOf(secrets: readonly string[]): Redactor {
  if (latest?.secrets !== secrets)
    latest = { secrets, redactor: { key: JSON.stringify(secrets), mask: maskAll(secrets) } };
  return latest.redactor;
}

const redact = (text: string, { mask }: Redactor): string => mask(text).replaceAll(secretIsSet, redaction);

/**
 * Masks these secrets, all tokens, all values and parameters whose names denote a secret, and the links of payment
 * files, in every encoding of `maskAll`.
 */
export function redacted(text: string, secrets: readonly string[]): string {
  if (text === '') return '';
  const redactor = redactorOf(secrets);
  if (text.length > longestKnown) return redact(text, redactor);
  const found = known.get(text);
  if (found?.secrets === redactor.key) return found.text;
  if (word.test(text)) {
    const masked = redact(text, redactor);
    // Most texts are ids, which do not recur; a key in a header does.
    if (masked !== text) known.set(copied(text), { secrets: redactor.key, text: masked });
    return masked;
  }
  const made = redact(text, redactor);
  const kept = copied(made);
  known.set(made === text ? kept : copied(text), { secrets: redactor.key, text: kept });
  return kept;
}

/** A request or an answer as it was sent. */
interface Side {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  readonly bytes?: number;
}

/** Returns one side of an exchange as it is stored; a long body is truncated. `bytes` is the full length. */
export function redactedMessage(
  { headers, body, bytes }: Side,
  secrets: readonly string[],
  most = longestBody,
): TimelineMessage {
  const shown: [name: string, value: string][] = [];
  for (const [header, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    const name = header.toLowerCase();
    shown.push([name, secretHeader.test(name) ? redaction : redacted(String(value), secrets)]);
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
