import { readFileSync } from 'node:fs';
import type { ClientConfig } from 'pg';
import { tlsFiles, usualConnections } from '#server/store/url.ts';

function tlsOf(given: URLSearchParams): ClientConfig['ssl'] {
  const mode = given.get('sslmode');
  if (mode === 'disable' || (mode === null && !tlsFiles.some((name) => given.has(name)))) return false;
  const [ca, cert, key] = tlsFiles.map((name) => {
    const path = given.get(name);
    return path === null ? undefined : readFileSync(path, 'utf8');
  });
  return { rejectUnauthorized: mode !== 'no-verify', ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
}

/**
 * How many connections of each kind a server opens at most: for what has to be kept, and for what may be lost if the
 * machine of the database fails. One more listens.
 */
export function sharesOf(url: string): Record<'usual' | 'relaxed', number> {
  const all = Number(new URL(url).searchParams.get('connections') ?? usualConnections);
  const relaxed = Math.floor((all - 1) / 6) || 1;
  return { usual: all - 1 - relaxed, relaxed };
}

/**
 * The driver's settings for a URL in which `faultOf` finds nothing, with more options of PostgreSQL, which hold whatever the
 * URL's say. The driver is not given the URL, because what is in it would take the place of these.
 */
export function settingsOf(url: string, more: string): ClientConfig {
  const { username, password, hostname, port, pathname, searchParams: given } = new URL(url);
  const host = decodeURIComponent(hostname).replace(/^\[(.*)\]$/, '$1');
  return {
    ...(host && { host }),
    ...(port && { port: Number(port) }),
    ...(username && { user: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    database: decodeURIComponent(pathname.slice(1)),
    ssl: tlsOf(given),
    application_name: given.get('application_name') ?? 'payments-out-console',
    options: [given.get('options'), more].filter(Boolean).join(' '),
    keepAlive: true,
  };
}
