import { createHash, timingSafeEqual } from 'node:crypto';
import { iso } from '#server/clock.ts';
import { otherBodies } from './otherBodies.ts';
import { hmac, longestExplained, mistakesIn, type Bytes, type Mistake } from './wrongSignature.ts';

/** The signed parts of a webhook (Standard Webhooks): the header texts and the bytes of the body. */
export interface SignedParts {
  id: string;
  /** Seconds since 1970. */
  timestamp: string;
  body: Buffer;
}

/** A webhook as received. */
export interface ReceivedWebhook extends SignedParts {
  /** The header, which may list several signatures. */
  signature: string;
  /** Decodes the body; called only to find the mistake in a wrong signature. */
  content: () => Promise<string>;
}

const version = 'v1';
/** Maximum difference (s) between a webhook's timestamp and the receiver's clock. */
const tolerance = 5 * 60;
/** Maximum number of signatures that are compared. */
const maximumGiven = 10;

/** Returns the key in a secret of the form `whsec_` and Base64. */
const keyOf = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ''), 'base64');

/** Returns what is wrong with a secret that cannot be one; '' if it can. */
export function wrongSecret(secret: string): string {
  const [, bare, padding] = /^whsec_([A-Za-z0-9+/]*)(={0,2})$/.exec(secret) ?? [];
  if (bare === undefined || padding === undefined)
    return /^whsec_[\w+/=-]+$/.test(secret)
      ? 'what follows whsec_ is not Base64: write “+” and “/” for “-” and “_”, and “=” only at its end'
      : 'give whsec_ and the secret in Base64';
  if (bare === '') return 'nothing follows whsec_: give the secret in Base64 behind it';
  const isWhole = bare.length % 4 !== 1 && (padding === '' || (bare + padding).length % 4 === 0);
  return isWhole ? '' : 'what follows whsec_ is Base64 that was cut: copy the whole secret';
}

/** Returns the bytes that are signed: id, timestamp and body, joined by dots. */
const signedBytes = ({ id, timestamp, body }: SignedParts): Buffer =>
  Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);

/** Returns the value of the header webhook-signature. */
export const signWebhook = (parts: SignedParts, secret: string): string =>
  `${version},${hmac('sha256', keyOf(secret), signedBytes(parts)).toString('base64')}`;

/** A duration (s) in words: `6 min 01 s`, `2 h 05 min`. */
function durationText(seconds: number): string {
  const [days, hours, minutes] = [86_400, 3600, 60].map((unit) => Math.floor(seconds / unit));
  const pair = (large: number | undefined, unit: string, small: number, smallUnit: string) =>
    `${large} ${unit} ${String(small).padStart(2, '0')} ${smallUnit}`;
  if (days) return pair(days, 'd', (hours ?? 0) % 24, 'h');
  if (hours) return pair(hours, 'h', (minutes ?? 0) % 60, 'min');
  return minutes ? pair(minutes, 'min', seconds % 60, 's') : `${seconds} s`;
}

/** Returns what is wrong with a timestamp at the time `now` (ms since the epoch); '' if nothing is. */
function wrongTimestamp(timestamp: string, now: number): string {
  if (timestamp === '') return 'the header is missing';
  const shown = `“${timestamp.slice(0, 40)}”`;
  if (!/^\d{1,16}$/.test(timestamp))
    return `${shown} cannot be read: it is the number of seconds since 1970, such as ${Math.floor(now / 1000)}`;
  const seconds = Number(timestamp);
  // Seconds of this size lie beyond the year 5000.
  if (seconds > 1e11) return `${shown} is in ${seconds > 1e14 ? 'micro' : 'milli'}seconds: give seconds since 1970`;
  const age = Math.floor(now / 1000) - seconds;
  if (Math.abs(age) <= tolerance) return '';
  const clocks = `${iso(seconds * 1000)}; this server’s time is ${iso(now)}: compare the clocks of both`;
  return `signed ${durationText(Math.abs(age))} ${age > 0 ? 'before' : 'after'} this server’s time; allowed ${tolerance / 60} min (signed at ${clocks})`;
}

/** Other texts than the right one, which senders sign by mistake. */
function otherTexts({ id, timestamp, body }: SignedParts, content: string): [string, Bytes][] {
  const joined = (parts: readonly string[], by = '.') =>
    Buffer.concat([Buffer.from(parts.map((part) => part + by).join('')), body]);
  const inTime = (other: string): Bytes => signedBytes({ id, timestamp: other, body });
  const seconds = Number(timestamp);
  return [
    ...otherBodies(body, content).map(([words, other]): [string, Bytes] => [
      words,
      signedBytes({ id, timestamp, body: other }),
    ]),
    ['only the body was signed, without id and timestamp', body],
    ['the id was left out', joined([timestamp])],
    ['the timestamp was left out', joined([id])],
    ['the timestamp was signed before the id', joined([timestamp, id])],
    ['id, timestamp and body were joined without dots', joined([id, timestamp], '')],
    ['id, timestamp and body were joined by line breaks instead of dots', joined([id, timestamp], '\n')],
    ['id, timestamp and body were joined by colons instead of dots', joined([id, timestamp], ':')],
    ['the timestamp was signed in milliseconds', inTime(`${timestamp}000`)],
    ['the timestamp was signed in seconds', inTime(String(Math.floor(seconds / 1000)))],
    ...(seconds < 1e11 ? [['the timestamp was signed as a date', inTime(iso(seconds * 1000))] as [string, Bytes]] : []),
  ];
}

/** Other ways to sign the right text. */
function otherKeysAndHashes(text: Buffer, secret: string): Mistake[] {
  const bare = secret.replace(/^whsec_/, '');
  const keys: [string, Bytes][] = [
    ['the secret was not decoded from Base64, and its prefix whsec_ was not removed', secret],
    ['the secret was not decoded from Base64', bare],
    ['the prefix whsec_ was not removed from the secret before it was decoded', Buffer.from(secret, 'base64')],
    ['the secret was decoded as hexadecimal digits instead of Base64', Buffer.from(bare, 'hex')],
    ['the key was written in hexadecimal digits', keyOf(secret).toString('hex')],
  ];
  return [
    ...keys.map(([words, key]) => ({ words, text, digest: () => hmac('sha256', key, text) })),
    ...['sha1', 'sha512', 'sha384'].map((hash) => ({
      words: `it was made by HMAC-${hash.toUpperCase().replace('SHA', 'SHA-')} instead of HMAC-SHA256`,
      text,
      digest: () => hmac(hash, keyOf(secret), text),
    })),
    {
      words: 'it is a plain SHA-256 without the secret',
      text,
      digest: () => createHash('sha256').update(text).digest(),
    },
    { words: 'key and text of HMAC were exchanged', text, digest: () => hmac('sha256', text, keyOf(secret)) },
  ];
}

/** Returns the mistake that gives a signature, in words; '' if no usual one does. */
function mistakeOf(given: string, webhook: SignedParts, content: string, secret: string): string {
  const text = signedBytes(webhook);
  const found = mistakesIn(given, { text, digest: () => hmac('sha256', keyOf(secret), text) }, [
    ...otherTexts(webhook, content).map(([words, other]) => ({
      words,
      text: other,
      digest: () => hmac('sha256', keyOf(secret), other),
    })),
    ...otherKeysAndHashes(text, secret),
  ]);
  return found?.words ?? '';
}

const isSame = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
};

/** Returns what is wrong with the header of signatures; '' if one of them is right. */
async function wrongSignature(webhook: ReceivedWebhook, secret: string): Promise<string> {
  const given = signaturesIn(webhook.signature);
  const right = signWebhook(webhook, secret);
  if (given.length === 0) return 'the header is missing';
  if (given.some((each) => isSame(each, right))) return '';
  const ofVersion = given.filter((each) => each.startsWith(`${version},`));
  if (ofVersion.length === 0) {
    const isRight = given.some((each) => isSame(each, right.slice(version.length + 1)));
    return `no signature of the version ${version}${isRight ? `: write “${version},” before it` : ''}`;
  }
  if (webhook.body.length > longestExplained)
    return 'made from another base string, or with another secret; the body is too long to look for the mistake';
  const content = await webhook.content();
  for (const each of ofVersion) {
    const words = mistakeOf(each.slice(version.length + 1), webhook, content, secret);
    if (words !== '') return `not made as it should be: ${words}`;
  }
  return 'made from another base string, or with another secret';
}

/** Returns the signatures in a header: separated by blanks, or by commas if several headers were joined. */
export const signaturesIn = (header: string): string[] =>
  header
    .split(/\s+/)
    .map((each) => each.replace(/,$/, ''))
    .filter((each) => each !== '')
    .slice(0, maximumGiven);

/**
 * Checks a webhook as a receiver does at the time `now` (ms since the epoch). `problems` has a sentence for each
 * header that is wrong; it is empty if the webhook is authentic. `isSigned`: whether the signature itself is right.
 */
export async function checkWebhook(webhook: ReceivedWebhook, secret: string, now: number) {
  const time = wrongTimestamp(webhook.timestamp, now);
  const signature = await wrongSignature(webhook, secret);
  const isJoined = /,\s+\S/.test(webhook.signature);
  const problems = [
    ...(webhook.id === '' ? ['webhook-id: the header is missing'] : []),
    ...(time === '' ? [] : [`webhook-timestamp: ${time}`]),
    ...(signature === '' ? [] : [`webhook-signature: ${signature}`]),
    ...(isJoined
      ? ['webhook-signature: several headers, joined by commas: send one, with blanks between the signatures']
      : []),
  ];
  return { isSigned: signature === '', problems };
}
