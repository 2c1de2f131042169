import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

type Create = (handle: RequestListener) => Server;

/** Listens on a free port until the test ends, or what `whenOver` is given is called. Resolves to the URL, without a trailing slash. */
export async function listening(
  handle: RequestListener,
  create = createServer as Create,
  whenOver: (end: () => void) => void = onTestFinished,
): Promise<string> {
  const server = create(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  whenOver(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
}
