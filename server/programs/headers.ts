import { validateHeaderValue } from 'node:http';
import { own } from '#contract/member.ts';
import { passedCallHeader, programTokenHeader } from '#contract/programs.ts';
import { header } from '#server/upstream/wire.ts';

/** Headers between two neighbours, which are not passed on (RFC 9110, section 7.6.1). */
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
 * Headers of a call that end here: the token, a browser's cookies of the console, and what is said anew to the service, as
 * is the sandbox's name for a call.
 */
const ofCall = [programTokenHeader, 'cookie', 'host', 'content-length', 'expect', passedCallHeader];

/** Headers of an answer that would concern the console's own origin in a browser. */
const ofAnswer =
  /^(set-cookie2?|clear-site-data|strict-transport-security|service-worker-allowed|alt-svc|access-control-.*)$/;

/** Headers that proxies in front of the console add: they say how a program reached the console, not the service. */
const ofProxies = /^(forwarded|via|x-forwarded-.*|x-real-ip)$/;

type Pair = readonly [name: string, value: string];

const pairsOf = (raw: readonly string[]): Pair[] =>
  raw.flatMap((name, index): Pair[] => (index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : []));

/** The names that a Connection header adds to those that are not passed on. */
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

function passing(raw: readonly string[], isKept: (name: string) => boolean): Pair[] {
  const pairs = pairsOf(raw);
  const gone = namedIn(pairs);
  return pairs.filter((pair) => {
    const name = pair[0].toLowerCase();
    return !gone.has(name) && isKept(name) && isWritable(pair);
  });
}

/** The headers of a program's call that are passed on, as they came. */
export const passedOn = (raw: readonly string[]): Pair[] =>
  passing(raw, (name) => !ofCall.includes(name) && !ofProxies.test(name));

/** The headers of the service's answer that are passed on, as they came. */
export const passedBack = (raw: readonly string[]): Pair[] => passing(raw, (name) => !ofAnswer.test(name));

/** Headers by their names in lower case; several of one name are joined. */
export function byName(pairs: readonly Pair[]): Record<string, string> {
  const all: Record<string, string> = Object.create(null) as Record<string, string>; // no header is inherited
  for (const [name, value] of pairs) {
    const lower = name.toLowerCase();
    all[lower] = own(all, lower) ? `${all[lower]}, ${value}` : value;
  }
  return all;
}

/** The credentials in a call's headers, to be masked wherever else they stand. */
export function credentialsIn(headers: Readonly<Record<string, string | string[] | undefined>>): string[] {
  const { [header.apiKey]: key, authorization } = headers;
  const [, bearer] = /^\w+ +(\S+)$/.exec(typeof authorization === 'string' ? authorization : '') ?? [];
  return [key, bearer].filter((each) => typeof each === 'string' && each !== '') as string[]; // just checked
}
