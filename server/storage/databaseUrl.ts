import { accessSync, constants, readFileSync } from 'node:fs';
import type { ClientConfig } from 'pg';

/** Whether several servers may use the database with this URL: PostgreSQL, not an SQLite file. */
export const isSharedUrl = (url: string): boolean => /^postgres(ql)?:/i.test(url);

/** Returns a database's URL for display: host, port and name, without user and password. */
export function displayUrl(url: string): string {
  const { host, pathname } = new URL(url);
  return host + pathname;
}

/** Returns the password in a database's URL, decoded and as written; [] if there is none. */
export function passwordIn(url: string): string[] {
  if (!isSharedUrl(url)) return [];
  const { password } = new URL(url);
  return [decodeURIComponent(password), password].filter(Boolean);
}

/** Maximum number of connections per server, unless the URL sets it. */
const defaultPoolSize = 25;

/** Parameters of a database's URL that name TLS files. */
const tlsFiles = ['sslrootcert', 'sslcert', 'sslkey'] as const;
const parameters: readonly string[] = ['connections', 'sslmode', ...tlsFiles, 'options', 'application_name'];
const tlsModes: readonly string[] = ['verify-full', 'verify-ca', 'require', 'no-verify', 'disable'];

function isDecodable(part: string): boolean {
  try {
    return !decodeURIComponent(part).includes('\0');
  } catch {
    return false;
  }
}

/**
 * Returns why a database's URL cannot be used, in words that reveal no secret of the URL; undefined if it can be used.
 */
export function faultOf(url: string): string | undefined {
  const form =
    'give a PostgreSQL database, such as postgres://user:password@host/console, in whose parts @ : / ? # % and spaces are encoded, %40 for @';
  if (!isSharedUrl(url) || /\s/.test(url) || !URL.canParse(url)) return form;
  const { username, password, hostname, pathname, hash, searchParams } = new URL(url);
  // A @ after the host belongs to a password with a / that was not encoded.
  if (pathname.length < 2 || hash || /@/.test(pathname)) return form;
  if (![username, password, hostname, pathname].every(isDecodable)) return form;
  const names = [...searchParams.keys()];
  if (names.some((name, index) => !parameters.includes(name) || names.indexOf(name) < index))
    return `after ? a PostgreSQL database takes nothing but ${parameters.join(', ')}, each of them once`;
  const connections = Number(searchParams.get('connections') ?? defaultPoolSize);
  if (!Number.isInteger(connections) || connections < 5 || connections > 1000)
    return 'give as connections a whole number from 5 to 1000';
  const mode = searchParams.get('sslmode');
  if (mode !== null && !tlsModes.includes(mode))
    return 'give as sslmode verify-full (verify-ca and require mean the same), no-verify, which encrypts but believes any certificate, or disable';
  for (const name of tlsFiles)
    try {
      const path = searchParams.get(name);
      if (path !== null) accessSync(path, constants.R_OK);
    } catch (error) {
      return `the file named by ${name} cannot be read (${(error as NodeJS.ErrnoException).code}), give one that can`;
    }
  return undefined;
}

function tlsOf(parameters: URLSearchParams): ClientConfig['ssl'] {
  const mode = parameters.get('sslmode');
  if (mode === 'disable' || (mode === null && !tlsFiles.some((name) => parameters.has(name)))) return false;
  const [ca, cert, key] = tlsFiles.map((name) => {
    const path = parameters.get(name);
    return path === null ? undefined : readFileSync(path, 'utf8');
  });
  return { rejectUnauthorized: mode !== 'no-verify', ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
}

/** Maximum number of connections of a server, without the one of its session (postgresSession.ts). */
export const poolSize = (url: string): number =>
  Number(new URL(url).searchParams.get('connections') ?? defaultPoolSize) - 1;

/**
 * Returns the driver's settings for a URL that `faultOf` accepts. `more` are options of PostgreSQL that override those
 * of the URL. The URL itself is not passed to the driver, because its parameters would override these settings.
 */
export function connectionSettings(url: string, more: string): ClientConfig {
  const { username, password, hostname, port, pathname, searchParams: parameters } = new URL(url);
  const host = decodeURIComponent(hostname).replace(/^\[(.*)\]$/, '$1');
  return {
    ...(host && { host }),
    ...(port && { port: Number(port) }),
    ...(username && { user: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    database: decodeURIComponent(pathname.slice(1)),
    ssl: tlsOf(parameters),
    application_name: parameters.get('application_name') ?? 'payments-out-console',
    options: [parameters.get('options'), more].filter(Boolean).join(' '),
    keepAlive: true,
  };
}
