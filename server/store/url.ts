import { accessSync, constants } from 'node:fs';

/** Whether several servers may use the store with this URL. */
export const isSharedUrl = (url: string): boolean => /^postgres(ql)?:/i.test(url);

/** Returns a database's URL for display: host, port and name, without user and password. */
export function shownUrl(url: string): string {
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
export const usualConnections = 25;

/** Parameters of a database's URL that name TLS files. */
export const tlsFiles = ['sslrootcert', 'sslcert', 'sslkey'] as const;
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
  const connections = Number(searchParams.get('connections') ?? usualConnections);
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
