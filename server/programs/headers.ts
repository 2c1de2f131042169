import { validateHeaderValue } from 'node:http';
import { faultHeader } from '#contract/constants.ts';
import { passedCallHeader, programTokenHeader } from '#contract/programs.ts';
import { headersByName } from '#server/upstream/transport.ts';
import { header } from '#server/upstream/wire.ts';

/** Hop-by-hop headers, which are not forwarded (RFC 9110, section 7.6.1). */
const ofConnection: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Headers of a call that are not forwarded: the token, the sandbox's name for a call, and headers that are set anew.
 * Cookies have rules of their own.
 */
const ofCall = [programTokenHeader, 'host', 'content-length', 'expect', passedCallHeader];

/** The cookies of the console itself, also with the prefix of cookies that need TLS. */
const ownCookie = /^(__Host-)?(session|signin(-[0-9a-f]+)?)=/;

/**
 * Headers of an answer that are forwarded to a browser: those that describe the answer, and those of the service. No
 * others, because most affect the console's own origin.
 */
const toBrowsers = new RegExp(
  `^(${[
    'content-(type|length|encoding|language|disposition|range|digest)',
    'accept-ranges',
    'date',
    'etag',
    'last-modified',
    'location',
    'retry-after',
    'allow',
    'www-authenticate',
    '(x-)?rate-?limit(-[a-z-]+)?',
    'idempotent-replay',
    'x-request-id',
    'x-correlation-id',
    'traceparent',
    'tracestate',
    faultHeader,
    'digest',
    'repr-digest',
    'signature',
    'signature-input',
    'x-jws-signature',
    ...Object.values(header),
  ].join('|')})$`,
);

/**
 * Headers of an answer that are forwarded to nobody: they would steer a proxy or a cache in front of the console, or
 * contradict those that the console sets with each answer.
 */
const ofOwnSide =
  /^(x-accel-.*|x-(lighttpd-)?send-?file|x-reproxy-.*|surrogate-.*|edge-.*|(.+-)?cache-control|expires|pragma|content-security-policy(-report-only)?|x-content-type-options)$/;

/** Headers added by proxies in front of the console: they describe the way to the console, not to the service. */
const ofProxies = /^(forwarded|via|x-forwarded-.*|x-real-ip)$/;

export type Pair = [name: string, value: string];

const pairsOf = (raw: readonly string[]): Pair[] =>
  raw.flatMap((name, index): Pair[] => (index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : []));

/** Returns the hop-by-hop headers of a message, with those that its Connection headers name. */
function hopByHopIn(pairs: readonly Pair[]): ReadonlySet<string> {
  const values = pairs.filter(([name]) => name.toLowerCase() === 'connection').map(([, value]) => value);
  const further = values.flatMap((value) => value.split(',').map((each) => each.trim().toLowerCase()));
  return further.length > 0 ? new Set([...ofConnection, ...further]) : ofConnection;
}

const isWritable = ([name, value]: Pair): boolean => {
  try {
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
};

function forwardable(raw: readonly string[], isKept: (name: string) => boolean): Pair[] {
  const pairs = pairsOf(raw);
  const connectionHeaders = hopByHopIn(pairs);
  return pairs.filter((pair) => {
    const name = pair[0].toLowerCase();
    return !connectionHeaders.has(name) && isKept(name) && isWritable(pair);
  });
}

/** Returns a Cookie header without the cookies of the console; [] if nothing is left. */
function foreignCookies([name, value]: Pair): Pair[] {
  const kept = value.split(/;\s*/).filter((cookie) => cookie !== '' && !ownCookie.test(cookie));
  return kept.length === 0 ? [] : [[name, kept.join('; ')]];
}

/** Whether a call comes from a browser, as its headers tell. A page can neither leave these out nor change them. */
export const isBrowser = (headers: Readonly<Record<string, string | string[] | undefined>>): boolean =>
  ['sec-fetch-site', 'sec-fetch-mode', 'origin'].some((name) => headers[name] !== undefined) ||
  /^mozilla\//i.test(String(headers['user-agent']));

/** Returns the headers of a program's call that are forwarded, unchanged; of a browser's cookies none. */
export const forwardedHeaders = (raw: readonly string[], fromBrowser: boolean): Pair[] =>
  forwardable(raw, (name) => !ofCall.includes(name) && !ofProxies.test(name)).flatMap((pair): Pair[] => {
    if (pair[0].toLowerCase() !== 'cookie') return [pair];
    return fromBrowser ? [] : foreignCookies(pair);
  });

/** Returns the headers of the service's answer that are forwarded, unchanged, each as often as it was sent. */
export const returnedHeaders = (raw: readonly string[], toBrowser: boolean): Pair[] =>
  forwardable(raw, (name) => !ofOwnSide.test(name) && (!toBrowser || toBrowsers.test(name)));

/** Returns headers by lower-case name; headers of the same name are joined. */
export const byName = (pairs: readonly Pair[]): Record<string, string> => headersByName(pairs.flat());

/** Returns the credentials in a call's headers, so that they can be masked everywhere. */
export function credentialsIn(headers: Readonly<Record<string, string | string[] | undefined>>): string[] {
  const { [header.apiKey]: key, authorization } = headers;
  const [, bearer] = /^\w+ +(\S+)$/.exec(typeof authorization === 'string' ? authorization : '') ?? [];
  return [key, bearer].filter((each) => typeof each === 'string' && each !== '') as string[]; // checked by the filter
}
