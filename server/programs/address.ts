import { programPath } from '#contract/programs.ts';
import { serviceCall } from '#contract/serviceCalls.ts';
import { serviceOf, type UpstreamConfig } from '#server/upstream/config.ts';
import { operations, type OperationName } from '#server/upstream/operations.ts';
import { Failure } from '#server/failure.ts';

/** Whether a path is below the address for programs. */
export const isOfPrograms = (path: string): boolean => path === programPath || path.startsWith(`${programPath}/`);

/** Where the calls whose paths begin in one way go. */
interface Host {
  prefix: string;
  origin: string;
  /** The path below which the protocol begins at the host, without a trailing slash. */
  base: string;
}

/**
 * The hosts of the service, by the beginning of their paths. Links and the user info have addresses of their own, which
 * only the embedded sandbox has on its host.
 */
function readHosts(config: UpstreamConfig): readonly Host[] {
  const bases = serviceOf(config);
  const found = new Map<string, string>();
  for (const name of Object.keys(operations) as OperationName[]) {
    const { host, path, proof } = serviceCall(name);
    const [, first = ''] = path.split('/');
    if (host !== 'userInfo' && proof !== 'link') found.set(`/${first}/`, bases[host]);
    else if (config.environment === 'sandbox') found.set(path.replace(/\{.*/, ''), config.baseUrl);
  }
  return [...found].map(([prefix, url]) => {
    const { origin, pathname } = new URL(url);
    return { prefix, origin, base: pathname.replace(/\/$/, '') };
  });
}

/** The hosts of each configuration, which does not change. */
const hosts = new WeakMap<UpstreamConfig, readonly Host[]>();

function hostsOf(config: UpstreamConfig): readonly Host[] {
  const known = hosts.get(config) ?? readHosts(config);
  hosts.set(config, known);
  return known;
}

/** Decodes a segment as often as a service might, and removes its parameters. */
function plainest(segment: string): string {
  let text = segment;
  for (let times = 0; times < 4; times += 1) {
    try {
      const next = decodeURIComponent(text);
      if (next === text) break;
      text = next;
    } catch {
      if (times === 0) return '..'; // malformed: refused like '..'
      break;
    }
  }
  return text.replace(/;.*$/s, '');
}

/** Whether a segment is safe however often a service decodes it: no dot segment, separator or control character. */
const isPlain = (segment: string): boolean => {
  const text = plainest(segment);

  return !['', '.', '..'].includes(text) && !/[/\\\u0000-\u001f\u007f]/.test(text);
};

/**
 * Returns the path and query of a request target, which may be a complete address (RFC 9112, section 3.2.2). Throws
 * `invalid-request` if that is not the address of the `host` to which the request was sent.
 */
export function originForm(requestTarget: string, host: string): string {
  const [, authority, rest = ''] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(requestTarget) ?? [];
  if (authority === undefined) return requestTarget;
  if (authority.toLowerCase() === host.toLowerCase()) return rest;
  throw new Failure(
    'invalid-request',
    `The request names ${authority || 'no host'} in its address and ${host} in its Host header: call ${host}${programPath}, not through it as a proxy.`,
  );
}

export interface Target {
  origin: string;
  /** Path and query exactly as the program sent them, below the path of the service's host. */
  path: string;
  /** `origin` and `path` together. */
  url: string;
  /** The path in the service's protocol, without the query. */
  wirePath: string;
}

/**
 * Returns the target at the service for the request target of a program's call. Throws `invalid-request` for anything
 * but a plain path, and `not-found` for paths outside the protocol.
 */
export function targetOf(requestTarget: string, config: UpstreamConfig): Target {
  const [path = '', ...query] = requestTarget.slice(programPath.length).split('?');
  const [percent] = /%(?![0-9a-f]{2}).{0,2}/i.exec(path) ?? [];
  if (percent !== undefined)
    throw new Failure(
      'invalid-request',
      `The path has a percent sign without two hexadecimal digits, “${percent}”: write the sign itself as %25.`,
    );
  if (
    !requestTarget.startsWith(`${programPath}/`) ||
    !/^\/[\w.~!$&'()*+,;=:@%/-]*$/.test(path) ||
    requestTarget.includes('#')
  )
    throw new Failure('invalid-request', `Give a path below ${programPath}, such as ${programPath}/v3/providers.`);
  const segments = path.slice(1).split('/');
  // A trailing slash is passed on.
  if (segments.length > 1 && segments.at(-1) === '') segments.pop();
  if (!segments.every(isPlain))
    throw new Failure('invalid-request', 'The path has a segment that is empty, leads upwards or holds a slash.');
  const to = hostsOf(config).find(({ prefix }) => (prefix.endsWith('/') ? path.startsWith(prefix) : path === prefix));
  if (to === undefined)
    throw new Failure(
      'not-found',
      `Nothing of the service is at ${path}: programs call ${hostsOf(config)
        .map(({ prefix }) => prefix)
        .join(', ')} below ${programPath}.`,
    );
  const { origin, base } = to;
  const whole = base + path + (query.length > 0 ? `?${query.join('?')}` : '');
  return { origin, path: whole, url: origin + whole, wirePath: path };
}
