import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createSocket } from 'node:dgram';
import { connect, createServer } from 'node:net';

/** Below the ports that systems give to connections and to servers without a port of their own. */
const range = [20_000, 30_000] as const;

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

/**
 * Keeps a port of this machine from other verifications until this process ends, by the datagrams of the same number, which
 * no program needs. Returns whether nobody had kept it before.
 */
export async function keepPort(port: number): Promise<boolean> {
  const socket = createSocket('udp4').unref();
  try {
    socket.bind({ port, address: '127.0.0.1', exclusive: true });
    await once(socket, 'listening'); // rejects with the error, if there is one
    return true;
  } catch {
    socket.close();
    return false;
  }
}

/** Returns a port of this machine on which nothing listens, and that no verification was given before. */
export async function freePort(): Promise<number> {
  const port = randomInt(...range);
  return (await keepPort(port)) && (await isFree(port)) ? port : freePort();
}
