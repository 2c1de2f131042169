import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { request as askHttp } from 'node:http';
import { request as askHttps } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Addresses that never receive webhooks: unspecified, link-local, multicast and cloud metadata addresses. */
const forbidden = new BlockList();
/** Addresses of this machine and of private networks. */
const privateNetworks = new BlockList();
const ipv4Ranges: readonly (readonly [BlockList, string, number])[] = [
  [forbidden, '0.0.0.0', 8],
  [forbidden, '169.254.0.0', 16],
  [forbidden, '224.0.0.0', 3],
  [privateNetworks, '10.0.0.0', 8],
  [privateNetworks, '100.64.0.0', 10],
  [privateNetworks, '127.0.0.0', 8],
  [privateNetworks, '172.16.0.0', 12],
  [privateNetworks, '192.168.0.0', 16],
];
for (const [list, address, bits] of ipv4Ranges) {
  list.addSubnet(address, bits, 'ipv4');
  // The same address behind NAT64 (RFC 6052).
  list.addSubnet(`64:ff9b::${address}`, 96 + bits, 'ipv6');
}
for (const [list, address, bits] of [
  [forbidden, '::', 128],
  [forbidden, 'fe80::', 10],
  [forbidden, 'ff00::', 8],
  [forbidden, 'fd00:ec2::', 32],
  [privateNetworks, '::1', 128],
  [privateNetworks, 'fc00::', 7],
] as const)
  list.addSubnet(address, bits, 'ipv6');

/**
 * Whether webhooks may go to an IP address. `shared`: users unknown to this machine's operator choose the address, so
 * it must not be in the operator's network.
 */
function mayReceive(address: string, shared: boolean): boolean {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  return (
    isIP(address) !== 0 && !forbidden.check(address, family) && !(shared && privateNetworks.check(address, family))
  );
}

/** Returns the host of a URL, an IPv6 address without brackets. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

/**
 * Returns why webhooks may not go to a URL, as far as the URL itself shows; '' if they may. Host names are resolved and
 * checked at each call.
 */
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

/**
 * Returns a lookup function that rejects a name if any of its addresses may not receive webhooks. The request uses the
 * checked result, so the name cannot resolve differently afterwards.
 */
const lookupFor =
  (shared: boolean, resolve: Resolve): LookupFunction =>
  (name, options, done) => {
    resolve(name, { ...options, all: true }, (error, found) => {
      const [first] = error ? [] : found; // absent after an error, contrary to its type
      if (!first) done(error ?? new Error(`${name} has no address`), '', 0);
      else if (!found.every(({ address }) => mayReceive(address, shared)))
        done(new Error(`${name} is at an address that receives no webhooks`), '', 0);
      else if (options.all) done(null, found);
      else done(null, first.address, first.family);
    });
  };

interface Post {
  headers: Record<string, string>;
  body: string;
  /** Maximum time (ms) for an answer. */
  timeout: number;
  shared: boolean;
  /** Resolves a host name. Default: Node's lookup. */
  resolve?: Resolve;
}

/**
 * Posts to a user-chosen address, follows no redirect, and resolves with the status of the answer. Rejects if there is
 * no answer in time, or webhooks may not go there.
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
