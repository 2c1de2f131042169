import { validateHeaderValue } from 'node:http';
import { faultHeader } from '#contract/constants.ts';
import { passedCallHeader, programTokenHeader } from '#contract/programs.ts';
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
const ofCall: ReadonlySet<string> = new Set([programTokenHeader, 'host', 'content-length', 'expect', passedCallHeader]);

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

/** Returns names and values in turn as pairs. */
export const pairsOf = (raw: readonly string[]): [name: string, value: string][] =>
  raw.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, raw[at + 1] ?? '']] : []));

/** Returns the names of the hop-by-hop headers of a message, with those that its Connection headers name. */
function hopByHopIn(raw: readonly string[]): ReadonlySet<string> {
  const further: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2)
    if (raw[at]!.toLowerCase() === 'connection')
      further.push(...raw[at + 1]!.split(',').map((each) => each.trim().toLowerCase()));
  return further.every((each) => ofConnection.has(each)) ? ofConnection : new Set([...ofConnection, ...further]);
}

const isWritable = (name: string, value: string): boolean => {
  try {
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
};

/**
 * Returns headers that go beyond the connection, names and values in turn. `kept` returns the value with which one is
 * passed on, by its name in lower case; undefined for one that is not.
 */
function forwardable(raw: readonly string[], kept: (name: string, value: string) => string | undefined): string[] {
  const connectionHeaders = hopByHopIn(raw);
  const passed: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [given, received] = [raw[at]!, raw[at + 1]!]; // within the list
    const name = given.toLowerCase();
    if (connectionHeaders.has(name) || !isWritable(name, received)) continue;
    const value = kept(name, received);
    if (value !== undefined) passed.push(given, value);
  }
  return passed;
}

/** Returns a Cookie header without the cookies of the console; undefined if nothing is left. */
function foreignCookies(value: string): string | undefined {
  const kept = value.split(/;\s*/).filter((cookie) => cookie !== '' && !ownCookie.test(cookie));
  return kept.length === 0 ? undefined : kept.join('; ');
}

/** Whether a call comes from a browser, as its headers tell. A page can neither leave these out nor change them. */
export const isBrowser = (headers: Readonly<Record<string, string | string[] | undefined>>): boolean =>
  ['sec-fetch-site', 'sec-fetch-mode', 'origin'].some((name) => headers[name] !== undefined) ||
  /^mozilla\//i.test(String(headers['user-agent']));

/** Returns the headers of a program's call that are forwarded, unchanged, in turn; of a browser's cookies none. */
export const forwardedHeaders = (raw: readonly string[], fromBrowser: boolean): string[] =>
  forwardable(raw, (name, value) => {
    if (name === 'cookie') return fromBrowser ? undefined : foreignCookies(value);
    return ofCall.has(name) || ofProxies.test(name) ? undefined : value;
  });

/** Returns the headers of the service's answer that are forwarded, unchanged, in turn, each as often as it was sent. */
export const returnedHeaders = (raw: readonly string[], toBrowser: boolean): string[] =>
  forwardable(raw, (name, value) =>
    ofOwnSide.test(name) || (toBrowser && !toBrowsers.test(name)) ? undefined : value,
  );

/** Returns the credentials in a call's headers, so that they can be masked everywhere. */
export function credentialsIn(headers: Readonly<Record<string, string | string[] | undefined>>): string[] {
  const { [header.apiKey]: key, authorization } = headers;
  const [, bearer] = /^\w+ +(\S+)$/.exec(typeof authorization === 'string' ? authorization : '') ?? [];
  return [key, bearer].filter((each) => typeof each === 'string' && each !== '') as string[]; // checked by the filter
}
