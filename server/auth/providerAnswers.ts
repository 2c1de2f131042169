import type { CustomFetch } from 'openid-client';
import type { RequestInit } from 'undici';
import { JsonError, jsonLimits, readJson } from '#server/http/json.ts';
import { isJsonType, mediaType } from '#server/http/receivedBody.ts';
import type { Claims } from './allowed.ts';
import type { Fetch } from '#server/http/outgoingProxy.ts';

/** Maximum number of bytes of an answer of the provider, decompressed; the largest are lists of keys. */
const maximumBytes = 256 * 1024;
/** Maximum number of characters of a name that is shown. */
const longestName = 100;

/** Reads a body whole. Throws as soon as it exceeds the limit, before the rest is decompressed. */
async function wholeOf(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > maximumBytes)
      throw new Error(`the sign-in service answered more than ${maximumBytes} bytes, decompressed`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/**
 * Throws for JSON that is too deep, or holds too many values, and for what is none although `isJson`; anything else is left
 * to the reader of the answer. `sender`: the address that answered.
 */
function checkJson(text: string, isJson: boolean, sender: string): void {
  try {
    readJson(text, { bytes: maximumBytes, values: jsonLimits.body.values });
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    if (!error.isNoJson) throw new Error(`an answer of the sign-in service ${error.message}`, { cause: error });
    if (isJson)
      throw new Error(`${sender} answered what ${error.message}, although its type says so`, { cause: error });
  }
}

/** A response that is made anew has no address, of which the cause of a failure speaks. */
const at = (url: string, response: Response): Response => Object.defineProperty(response, 'url', { value: url });

/** Makes requests to the provider, whose answers are read within limits of size, depth and number of values. */
export const boundedFetch =
  (fetch: Fetch): CustomFetch =>
  async (url, options) => {
    const answer = await fetch(url, options as RequestInit); // undefined members are absent
    const { body, status, statusText } = answer;
    const headers = [...answer.headers];
    if (body === null) return at(url, new Response(null, { status, statusText, headers }));
    const bytes = await wholeOf(body);
    const isJson = answer.ok && isJsonType(mediaType(answer.headers.get('content-type') ?? ''));
    checkJson(bytes.toString('utf8'), isJson, new URL(url).origin + new URL(url).pathname);
    return at(url, new Response(bytes as Uint8Array<ArrayBuffer>, { status, statusText, headers })); // not shared
  };

/** Returns a claim as it can be shown: on one line, and not too long; '' if it is no text. */
function shownClaim(claim: unknown): string {
  if (typeof claim !== 'string') return '';
  const line = Buffer.from(claim)
    .toString()
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim(); // without lone surrogates
  return [...line].slice(0, longestName).join('');
}

/** Returns the name under which a user is shown: the first of the usual claims that is a text. */
export const displayName = ({ name, preferred_username: username, email, sub }: Claims): string =>
  [name, username, email, sub].map(shownClaim).find((each) => each !== '') ?? 'User';
