import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/**
 * Channel on which undici (used by the console's client and by Node's fetch) reports each connection of this process.
 */
const connected = 'undici:client:connected';

/** Knows the local ports of this process's connections, by which the sandbox tells the console's calls from programs'. */
export function createOwnPorts() {
  const own = new Set<number>();
  const notePort = (message: unknown) => {
    const { socket } = message as { socket: Socket }; // as the channel's documentation says
    const { localPort } = socket;
    if (localPort === undefined) return;
    own.add(localPort);
    socket.once('close', () => own.delete(localPort));
  };
  subscribe(connected, notePort);
  return {
    has: (port: number | undefined): boolean => port !== undefined && own.has(port),
    end: (): void => void unsubscribe(connected, notePort),
  };
}
