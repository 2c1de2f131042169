import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as it arrived, and the number of its connection. */
export interface RawRequest {
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  connection: number;
}

/** Returns the bytes of a response with a body of JSON; `more` are further header lines. */
export function rawResponse(status: number, body: unknown, more: readonly string[] = []): string {
  const text = JSON.stringify(body);
  const head = [`HTTP/1.1 ${status} X`, 'content-type: application/json', `content-length: ${Buffer.byteLength(text)}`];
  return [...head, ...more, '', text].join('\r\n');
}

const complete = /^(\S+) (\S+) [^\r]*\r\n([^]*?)\r\n\r\n([^]*)$/;

/**
 * A service that reads requests from its connections, which it keeps open, and writes whatever bytes the test wants.
 * `opened` is called with each new connection.
 */
export async function rawService(
  answer: (request: RawRequest, socket: Socket) => void,
  opened: (socket: Socket) => void = () => undefined,
) {
  const requests: RawRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    const connection = (connections += 1);
    sockets.add(socket);
    socket.on('error', () => undefined);
    opened(socket);
    let received = '';
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1');
      const [, method = '', path = '', lines = '', rest = ''] = complete.exec(received) ?? [];
      const headers = Object.fromEntries(
        lines
          .split('\r\n')
          .map((line) => [line.split(':')[0]!.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
      );
      if (method === '' || rest.length < Number(headers['content-length'] ?? 0)) return;
      received = '';
      const request = { method, path, headers, body: rest, connection };
      requests.push(request);
      answer(request, socket);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }; // it listens on a port
}
