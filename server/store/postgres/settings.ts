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
 * Returns the maximum number of connections of each kind per server: `usual`, and `relaxed` for writes that may be lost
 * if the database's machine fails. One more connection listens.
 */
export function sharesOf(url: string): Record<'usual' | 'relaxed', number> {
  const all = Number(new URL(url).searchParams.get('connections') ?? usualConnections);
  const relaxed = Math.floor((all - 1) / 6) || 1;
  return { usual: all - 1 - relaxed, relaxed };
}

/**
 * Returns the driver's settings for a URL that `faultOf` accepts. `more` are options of PostgreSQL that override those
 * of the URL. The URL itself is not passed to the driver, because its parameters would override these settings.
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
