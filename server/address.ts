/** Whether a host name or address leads to this machine alone. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[?::1\]?)$/i.test(host);

/**
 * The URL at which to visit a server that listens on `host`; one that listens on all addresses is visited on loopback.
 */
export function visited(host: string, port: number | string): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
