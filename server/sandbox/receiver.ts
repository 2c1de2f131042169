import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { request as askHttp } from 'node:http';
import { request as askHttps } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Addresses at which no receiver of webhooks is: of a machine itself without being it, and of its cloud (metadata). */
const never = new BlockList();
/** Addresses of a network behind its router, and of this machine. */
const inside = new BlockList();
const ofFour: readonly (readonly [BlockList, string, number])[] = [
  [never, '0.0.0.0', 8],
  [never, '169.254.0.0', 16],
  [never, '224.0.0.0', 3],
  [inside, '10.0.0.0', 8],
  [inside, '100.64.0.0', 10],
  [inside, '127.0.0.0', 8],
  [inside, '172.16.0.0', 12],
  [inside, '192.168.0.0', 16],
];
for (const [list, address, bits] of ofFour) {
  list.addSubnet(address, bits, 'ipv4');
  // The same through a translator of addresses (RFC 6052).
  list.addSubnet(`64:ff9b::${address}`, 96 + bits, 'ipv6');
}
for (const [list, address, bits] of [
  [never, '::', 128],
  [never, 'fe80::', 10],
  [never, 'ff00::', 8],
  [never, 'fd00:ec2::', 32],
  [inside, '::1', 128],
  [inside, 'fc00::', 7],
] as const)
  list.addSubnet(address, bits, 'ipv6');

/**
 * Whether webhooks may go to an IP address. `shared`: users whom the operator of this machine does not know choose it, so
 * that it must not be within the operator's network.
 */
function mayReceive(address: string, shared: boolean): boolean {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  return isIP(address) !== 0 && !never.check(address, family) && !(shared && inside.check(address, family));
}

/** The host of a URL, an IPv6 address without its brackets. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

/** Why webhooks may not go to a URL, as far as it says so itself; '' if it does not. A name is looked up for each call. */
export function refusalOf(url: string, shared: boolean): string {
  const host = hostOf(new URL(url));
  const isLocal = host === 'localhost' || host.endsWith('.localhost');
  if (isIP(host) === 0 ? !(shared && isLocal) : mayReceive(host, shared)) return '';
  return shared
    ? 'an address that the internet reaches: with users, none of this machine or of its network'
    : 'no link-local, multicast or metadata address';
}

type Resolve = (
  name: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

/** Looks a name up and rejects it if any of its addresses may not receive webhooks: what is checked is what is called. */
const lookupFor =
  (shared: boolean, resolve: Resolve): LookupFunction =>
  (name, options, done) => {
    resolve(name, { ...options, all: true }, (error, found) => {
      const [first] = error ? [] : found; // absent after an error, although its type excludes that
      if (!first) done(error ?? new Error(`${name} has no address`), '', 0);
      else if (!found.every(({ address }) => mayReceive(address, shared)))
        done(new Error(`${name} is at an address that receives no webhooks`), '', 0);
      else if (options.all) done(null, found);
      else done(null, first.address, first.family); // there is one
    });
  };

interface Post {
  headers: Record<string, string>;
  body: string;
  /** ms. */
  timeout: number;
  shared: boolean;
  /** Looks up the addresses of a name; the machine's own way if absent. */
  resolve?: Resolve;
}

/**
 * Posts to an address that a user has chosen, and reads no answer but its status; follows no redirect. Rejects if nothing is
 * answered in time, or webhooks may not go there.
 */
export function postOutside(url: string, { headers, body, timeout, shared, resolve = lookup }: Post): Promise<number> {
  const refusal = refusalOf(url, shared);
  if (refusal !== '') return Promise.reject(new Error(refusal));
  const ask = url.startsWith('https:') ? askHttps : askHttp;
  const signal = AbortSignal.timeout(timeout);
  return new Promise((settle, reject) => {
    ask(url, { method: 'POST', headers, agent: false, lookup: lookupFor(shared, resolve), signal }, (answer) => {
      settle(answer.statusCode ?? 0);
      answer.destroy();
    })
      .on('error', reject)
      .end(body);
  });
}
