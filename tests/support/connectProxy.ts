import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * Starts an HTTP proxy for CONNECT until the test ends. It knows hosts by `ports`, their ports on this machine, and answers 502 for others;
 * 407 unless a request has its credentials; `refuse` is the status that it answers instead of all this.
 */
export async function connectProxy(
  ports: Readonly<Record<string, number>>,
  { credentials = '', refuse }: { credentials?: string; refuse?: number } = {},
) {
  let refused = refuse;
  const [asked, others, sockets]: [string[], string[], Set<Socket>] = [[], [], new Set()];
  const expected = `Basic ${Buffer.from(decodeURIComponent(credentials)).toString('base64')}`;
  const server = createServer((request, response) => {
    others.push(`${request.method} ${request.url}`);
    response.writeHead(405).end();
  }).listen(0, '127.0.0.1');
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.on('connect', (request, client: Socket) => {
    const authority = request.url ?? '';
    asked.push(authority);
    const port = ports[authority.replace(/:\d+$/, '')];
    const isKnown = credentials === '' || request.headers['proxy-authorization'] === expected;
    const status = refused ?? (!isKnown ? 407 : port === undefined ? 502 : 200);
    client.on('error', () => undefined);
    if (status !== 200 || port === undefined)
      return void client.end(`HTTP/1.1 ${status} X\r\ncontent-length: 0\r\n\r\n`);
    const target = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(target).pipe(client);
    });
    sockets.add(target);
    target.on('error', () => client.destroy());
    client.on('close', () => target.destroy());
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    /** Its URL, with the credentials that it asks for. */
    url: `http://${credentials === '' ? '' : `${credentials}@`}127.0.0.1:${port}`,
    port,
    /** Hosts and ports to which it was asked to connect. */
    asked,
    /** The requests that it received for anything but CONNECT. */
    others,
    /** Answers each CONNECT with this status from now on. */
    refuse: (status: number) => void (refused = status),
  };
}
