import { validateHeaderValue } from 'node:http';
import { faultHeader } from '#contract/constants.ts';
import { passedCallHeader, programTokenHeader } from '#contract/programs.ts';
import { headersByName } from '#server/upstream/transport.ts';
import { header } from '#server/upstream/wire.ts';

/** Hop-by-hop headers, which are not forwarded (RFC 9110, section 7.6.1). */
const ofConnection = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/**
 * Headers of a call that are not forwarded: the token, a browser's cookies for the console, the sandbox's name for a
 * call, and headers that are set anew.
 */
const ofCall = [programTokenHeader, 'cookie', 'host', 'content-length', 'expect', passedCallHeader];

/**
 * Headers of an answer that are forwarded: those that describe the answer, and those of the service. No others, because
 * most affect the console's own origin in a browser, or a proxy before the console.
 */
const ofAnswer = new RegExp(
  `^(${[
    ...['content-(type|length|encoding|language|disposition|range)', 'accept-ranges', 'date', 'etag', 'last-modified'],
    ...['location', 'retry-after', 'allow', 'www-authenticate', '(x-)?rate-?limit(-[a-z-]+)?'],
    ...['idempotent-replay', 'x-request-id', 'x-correlation-id', 'traceparent', 'tracestate', faultHeader],
    ...Object.values(header),
  ].join('|')})$`,
);

/** Headers added by proxies in front of the console: they describe the way to the console, not to the service. */
const ofProxies = /^(forwarded|via|x-forwarded-.*|x-real-ip)$/;

type Pair = readonly [name: string, value: string];

const pairsOf = (raw: readonly string[]): Pair[] =>
  raw.flatMap((name, index): Pair[] => (index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : []));

/** Returns the further hop-by-hop headers that a Connection header names. */
function namedIn(pairs: readonly Pair[]): Set<string> {
  const values = pairs.filter(([name]) => name.toLowerCase() === 'connection').map(([, value]) => value);
  return new Set([
    ...ofConnection,
    ...values.flatMap((value) => value.split(',').map((each) => each.trim().toLowerCase())),
  ]);
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
  const connectionHeaders = namedIn(pairs);
  return pairs.filter((pair) => {
    const name = pair[0].toLowerCase();
    return !connectionHeaders.has(name) && isKept(name) && isWritable(pair);
  });
}

/** Returns the headers of a program's call that are forwarded, unchanged. */
export const forwardedHeaders = (raw: readonly string[]): Pair[] =>
  forwardable(raw, (name) => !ofCall.includes(name) && !ofProxies.test(name));

/** Returns the headers of the service's answer that are forwarded, unchanged. */
export const returnedHeaders = (raw: readonly string[]): Pair[] => forwardable(raw, (name) => ofAnswer.test(name));

/** Returns headers by lower-case name; headers of the same name are joined. */
export const byName = (pairs: readonly Pair[]): Record<string, string> => headersByName(pairs.flat());

/** Returns the credentials in a call's headers, so that they can be masked everywhere. */
export function credentialsIn(headers: Readonly<Record<string, string | string[] | undefined>>): string[] {
  const { [header.apiKey]: key, authorization } = headers;
  const [, bearer] = /^\w+ +(\S+)$/.exec(typeof authorization === 'string' ? authorization : '') ?? [];
  return [key, bearer].filter((each) => typeof each === 'string' && each !== '') as string[]; // checked by the filter
}
