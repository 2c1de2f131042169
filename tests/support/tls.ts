import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** Key and certificate of `localhost` and the names below it, which nobody trusts; for tests only. */
const pem = readFileSync(new URL('localhost.pem', import.meta.url));

/** Ends TLS before the server at `target()`, for a host name that a browser finds on this machine, such as a.localhost. */
export async function tlsProxy(name: string, target: () => string): Promise<{ url: string; close: () => void }> {
  const server = createServer({ key: pem, cert: pem }, (asking, response) => {
    const { method, url, headers } = asking;
    const forward = request(target() + url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forward.on('error', () => response.destroy());
    response.on('close', () => forward.destroy());
    asking.pipe(forward);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://${name}:${(server.address() as AddressInfo).port}`, // it listens on a port
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
