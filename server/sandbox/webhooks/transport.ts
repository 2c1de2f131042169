import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { request as askHttp } from 'node:http';
import { request as askHttps } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { connectThrough, proxyFor, type OutgoingProxies } from '#server/http/outgoingProxy.ts';
import { NotSent } from './attemptOutcome.ts';

const { IPv4, IPv6 } = ipaddr;

/** Ranges that the internet routes, and those of this machine and of private networks, as ipaddr.js names them. */
const outside = ['unicast'];
const inside = ['loopback', 'private', 'carrierGradeNat', 'uniqueLocal'];

/** Where clouds answer with the credentials of a machine, within ranges of private networks. */
const metadata = ['100.100.100.200/32', 'fd00:ec2::/32'].map((network) => ipaddr.parseCIDR(network));
/** The ranges of IPv6 that are routed, and the one in which NAT64 embeds IPv4 addresses (RFC 6052). */
const [routed, nat64] = [IPv6.parseCIDR('2000::/3'), IPv6.parseCIDR('64:ff9b::/96')];

/** Returns the IPv4 address that an address stands for, mapped or behind NAT64; otherwise the address itself. */
function standingFor(address: string): ipaddr.IPv4 | ipaddr.IPv6 {
  const parsed = ipaddr.process(address);
  if (parsed instanceof IPv4 || !parsed.match(nat64)) return parsed;
  return new IPv4(parsed.toByteArray().slice(-4));
}

/**
 * Whether webhooks may go to an IP address: never to a reserved, link-local, multicast or metadata address. `shared`:
 * users unknown to this machine's operator choose the address, so it must not be in the operator's network.
 */
function mayReceive(address: string, shared: boolean): boolean {
  if (!ipaddr.isValid(address)) return false;
  const found = standingFor(address);
  const range = found.range();
  if (metadata.some((network) => found.kind() === network[0].kind() && found.match(network))) return false;
  if (outside.includes(range)) return found instanceof IPv4 || found.match(routed);
  return !shared && inside.includes(range);
}

/** Returns the host of a URL, an IPv6 address without brackets. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

/**
 * Returns why webhooks may not go to a URL, as far as the URL itself shows; '' if they may. Host names are resolved and
 * checked at each call.
 */
export function receiverFlaw(url: string, shared: boolean): string {
  const host = hostOf(new URL(url));
  const isLocal = host === 'localhost' || host.endsWith('.localhost');
  if (isIP(host) === 0 ? !(shared && isLocal) : mayReceive(host, shared)) return '';
  return shared
    ? 'an address that the internet reaches: with users, none of this machine or of its network'
    : 'no reserved, link-local, multicast or metadata address';
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
      if (!first) done(error ?? new NotSent(`${name} has no address`), '', 0);
      else if (!found.every(({ address }) => mayReceive(address, shared)))
        done(new NotSent(`${name} is at an address that receives no webhooks`), '', 0);
      else if (options.all) done(null, found);
      else done(null, first.address, first.family);
    });
  };

interface WebhookRequest {
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Ends the request when the time for an answer is over. */
  signal: AbortSignal;
  /** Resolves host names. Default: Node's lookup. */
  lookup?: LookupFunction | undefined;
}

/**
 * Posts a webhook to a receiver, follows no redirect, and resolves with the status of the answer and the address of a
 * redirect. Rejects if there is no answer.
 */
export type WebhookTransport = (
  url: string,
  request: WebhookRequest,
) => Promise<{ status: number; location?: string | undefined }>;

/**
 * Connects through a proxy to a receiver. The proxy is asked for the address that was checked: it could resolve a
 * user-chosen name otherwise.
 */
async function connectionThrough(proxy: URL, url: URL, lookUp: LookupFunction | undefined): Promise<Socket> {
  const host = hostOf(url);
  const hostname =
    lookUp && isIP(host) === 0
      ? await new Promise<string>(
          (found, reject) => lookUp(host, {}, (error, address) => (error ? reject(error) : found(address as string))), // not `all`
        )
      : host;
  const target = { hostname, host: url.host, protocol: url.protocol, port: url.port };
  return new Promise((settle, reject) =>
    connectThrough(proxy, { ...target, ...(isIP(host) === 0 && { servername: host }) }, (error, socket) =>
      error ? reject(error) : settle(socket),
    ),
  );
}

/** Posts over a connection of its own, through the proxies; of the answer only its head is read. */
export const postVia =
  (proxies?: OutgoingProxies): WebhookTransport =>
  async (url, request) => {
    const proxy = proxyFor(proxies, new URL(url));
    if (!proxy) return postOver(url, request);
    const socket = await connectionThrough(proxy, new URL(url), request.lookup);
    if (request.signal.aborted) socket.destroy();
    return postOver(url, request, socket);
  };

/** Posts directly, over a connection of its own. */
export const postOverHttp = postVia();

const postOver = (
  url: string,
  { headers, body, signal, lookup: lookUp }: WebhookRequest,
  socket?: Socket,
): ReturnType<WebhookTransport> =>
  new Promise((settle, reject) => {
    const ask = url.startsWith('https:') ? askHttps : askHttp;
    const options = {
      method: 'POST',
      headers,
      signal,
      ...(socket ? { createConnection: () => socket } : { agent: false, ...(lookUp && { lookup: lookUp }) }),
    };
    ask(url, options, (answer) => {
      settle({ status: answer.statusCode ?? 0, location: answer.headers.location });
      answer.destroy();
    })
      .on('error', reject)
      .end(body);
  });

/** Posts to a user-chosen address. Rejects with NotSent if webhooks may not go there. */
export async function postOutside(
  post: WebhookTransport,
  url: string,
  { shared, resolve = lookup, ...request }: WebhookRequest & { shared: boolean; resolve?: Resolve },
): ReturnType<WebhookTransport> {
  const refusal = receiverFlaw(url, shared);
  if (refusal !== '') throw new NotSent(refusal);
  return post(url, { ...request, lookup: lookupFor(shared, resolve) });
}
