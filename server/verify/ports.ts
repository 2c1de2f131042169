import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** Below the ports that systems give to connections and to servers without a port of their own. */
const range = [20_000, 30_000] as const;

const given = new Set<number>();

/** Whether something listens on a port of this machine. */
export async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect'); // rejects with the error, if there is one
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening'); // rejects with the error, if there is one
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}

/** Returns a port of this machine on which nothing listens, and that was not returned before. */
export async function freePort(): Promise<number> {
  const port = randomInt(...range);
  if (given.has(port) || !(await isFree(port))) return freePort();
  given.add(port);
  return port;
}
