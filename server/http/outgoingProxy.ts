import type { Socket } from 'node:net';
import { Agent, buildConnector, Client, fetch as undiciFetch } from 'undici';
import type { Dispatcher, RequestInit, Response } from 'undici';
import { clientNetwork, isInNetwork, isLoopback, isNetwork } from './networks.ts';

/** The proxies through which requests to other machines go, as HTTPS_PROXY, HTTP_PROXY and NO_PROXY name them. */
export interface OutgoingProxies {
  /** URLs of the proxies for `https:` and `http:` addresses, with credentials; '' for none. */
  https: string;
  http: string;
  /** What is reached directly, in forms that `isException` accepts. */
  except: readonly string[];
}

function isDecodable(text: string): boolean {
  try {
    return !/[\0\r\n]/.test(decodeURIComponent(text));
  } catch {
    return false;
  }
}

/** Whether a text is the URL of an HTTP proxy. */
export function isProxy(text: string): boolean {
  if (/\s/.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname, pathname, search, hash, username, password } = new URL(text);
  const isBare = hostname !== '' && pathname === '/' && search + hash === '';
  return /^https?:$/.test(protocol) && isBare && isDecodable(username) && isDecodable(password);
}

/** The proxy did not open a connection. Nothing has reached the server behind it. The message holds no credentials. */
export class ProxyError extends Error {}

/** Time (ms) in which a proxy has to answer: it looks the name up and connects first. */
const proxyTimeout = 5000;

const defaultPort = (protocol: string): string => (protocol === 'https:' ? '443' : '80');
const bare = (host: string): string => host.toLowerCase().replace(/^\[|\]$|\.$/g, '');

/** Parses an exception: a host with all names below it, an address, a network or `*`, each perhaps with a port. */
function parseException(text: string): { host: string; port: string } | undefined {
  if (isNetwork(text)) return { host: text, port: '' };
  const [, bracketed, name = '', port = ''] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (bracketed !== undefined) return isNetwork(bracketed) ? { host: bracketed, port } : undefined;
  if (name === '*' || isNetwork(name)) return { host: name, port };
  const host = /^(?:\*?\.)?((?:[\p{L}\p{N}_-]+\.)*[\p{L}\p{N}_-]+)\.?$/u.exec(name)?.[1];
  return host === undefined ? undefined : { host: host.toLowerCase(), port };
}

/** Whether a text is an entry of NO_PROXY as `parseException` understands it. */
export const isException = (text: string): boolean => parseException(text) !== undefined;

function isExcepted(except: readonly string[], host: string, port: string): boolean {
  return except.some((text) => {
    const entry = parseException(text);
    if (!entry || (entry.port !== '' && entry.port !== port)) return false;
    if (isNetwork(entry.host)) return isInNetwork([entry.host])(host);
    return entry.host === '*' || host === entry.host || host.endsWith(`.${entry.host}`);
  });
}

const isThisMachine = (host: string): boolean =>
  isLoopback(clientNetwork(host) ?? host) || host.endsWith('.localhost') || host === '0.0.0.0' || host === '::';

/** Returns the proxy for an address; undefined if it is reached directly, as this machine always is. */
export function proxyFor(
  proxies: OutgoingProxies | undefined,
  { protocol, hostname, port }: Pick<URL, 'protocol' | 'hostname' | 'port'>,
): URL | undefined {
  const proxy = protocol === 'https:' ? proxies?.https : proxies?.http;
  const host = bare(hostname);
  if (!proxies || !proxy || isThisMachine(host)) return undefined;
  return isExcepted(proxies.except, host, port || defaultPort(protocol)) ? undefined : new URL(proxy);
}

function credentialsOf({ username, password }: URL): string[] {
  if (username === '' && password === '') return [];
  return [Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')];
}

/** Returns what must not be shown of the proxies' addresses: passwords as written and decoded, and as they are sent. */
export function secretsOfProxies(proxies: OutgoingProxies | undefined): string[] {
  return [proxies?.https, proxies?.http].filter(Boolean).flatMap((proxy) => {
    const url = new URL(proxy!); // not empty
    return [url.password, decodeURIComponent(url.password), ...credentialsOf(url)].filter(Boolean);
  });
}

const advice: Readonly<Record<number, string>> = {
  403: ': it does not permit this address and port',
  407: ': it asks for a user and a password, or other ones than its address in HTTPS_PROXY or HTTP_PROXY has',
};

/** Has a proxy connect to `authority`, a host with a port. Rejects with a ProxyError. */
async function tunnel(proxy: URL, authority: string): Promise<Socket> {
  const client = new Client(proxy.origin, { connect: { timeout: proxyTimeout } });
  const [credentials] = credentialsOf(proxy);
  const timeout = AbortSignal.timeout(proxyTimeout);
  let answer: Dispatcher.ConnectData;
  try {
    answer = await client.connect({
      path: authority,
      headers: {
        host: authority,
        ...(credentials !== undefined && { 'proxy-authorization': `Basic ${credentials}` }),
      },
      signal: timeout,
    });
  } catch (error) {
    await client.destroy();
    const { code, message } = error as NodeJS.ErrnoException; // undici rejects with errors
    const why = timeout.aborted ? `did not answer within ${proxyTimeout / 1000} s` : `fails (${code ?? message})`;
    throw new ProxyError(`the proxy ${proxy.host} ${why}`, { cause: error });
  }
  const { statusCode: status } = answer;
  const socket = answer.socket as Socket; // of a connection over the network
  if (status >= 200 && status < 300) return socket;
  socket.on('error', () => undefined).destroy();
  await client.destroy();
  throw new ProxyError(`the proxy ${proxy.host} answered ${status} to CONNECT ${authority}${advice[status] ?? ''}`);
}

/** Connects through a proxy, with TLS to the server behind it if the protocol is `https:`. */
export function connectThrough(proxy: URL, options: buildConnector.Options, done: buildConnector.Callback): void {
  const { hostname, port, protocol } = options;
  const host = hostname.includes(':') ? `[${bare(hostname)}]` : hostname;
  tunnel(proxy, `${host}:${port || defaultPort(protocol)}`).then(
    (socket) =>
      protocol === 'https:'
        ? buildConnector({ timeout: proxyTimeout })({ ...options, httpSocket: socket }, done)
        : done(null, socket),
    (error: unknown) => done(error as Error, null), // of tunnel
  );
}

/**
 * Returns a connector of undici that asks the proxies for a connection. Its own ProxyAgent would send repeated headers
 * once, and hides the connection, which a write has to itself (decision 13). `timeout` (ms) is for direct connections.
 */
export function connectorFor(proxies: OutgoingProxies | undefined, timeout: number): buildConnector.connector {
  const direct = buildConnector({ timeout });
  return (options, done) => {
    const proxy = proxyFor(proxies, options);
    if (proxy) connectThrough(proxy, options, done);
    else direct(options, done);
  };
}

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Creates a `fetch` that goes through the proxies. */
export function createFetch(proxies?: OutgoingProxies): Fetch {
  const dispatcher = new Agent({ connect: connectorFor(proxies, 10_000) });
  return (url, init) => undiciFetch(url, { ...init, dispatcher });
}
