/** Whether a host name or address is a loopback one, reachable only from this machine. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[?::1\]?)$/i.test(host);

/** The URL of a server that listens on `host`; for a server that listens on all addresses, its loopback URL. */
export function localUrl(host: string, port: number | string): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
