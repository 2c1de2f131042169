import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StrayCall } from '#server/programs/checks/evidence.ts';

/** Opens another host on a port of its own, to which calls are redirected; it records them, and answers 404. */
export async function openTrap() {
  const calls: StrayCall[] = [];
  const server = createServer((request, response) => {
    const { method = '', headers } = request;
    calls.push({
      method,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value?.toString()])),
    });
    request.resume();
    response.writeHead(404, { connection: 'close' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    // Another host than that of the service, for clients that compare names.
    url: `http://localhost:${(server.address() as AddressInfo).port}/`, // it listens on a port
    calls,
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
