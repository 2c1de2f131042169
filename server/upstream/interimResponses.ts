import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/** The channel on which undici reports each request, with its connection, before the first byte is sent. */
const sendsHeaders = 'undici:client:sendHeaders';

/** The connections on which a response may begin, with what notes that one is due. */
const connections = new WeakMap<object, () => void>();

subscribe(sendsHeaders, (message) => {
  const { socket } = message as { socket: object }; // as the channel's documentation says
  connections.get(socket)?.();
});

const none = Buffer.alloc(0);
const starts = ['HTTP/1.1 1', 'HTTP/1.0 1'] as const;
/** Length of the protocol and the status at the beginning of a response. */
const statusLength = 'HTTP/1.1 100'.length;
const endOfHead = Buffer.from('\r\n\r\n');
/** Maximum number of bytes of an interim response; a longer one is left to the parser. */
const longestHead = 16 * 1024;

/**
 * Returns the length of the interim response at the beginning of the bytes, and whether it is to be passed over; -1 if
 * it has not arrived completely; undefined if there is none, or one that stays an error.
 */
function interimIn(bytes: Buffer): { length: number; isContinue: boolean } | undefined {
  const start = bytes.toString('latin1', 0, statusLength);
  if (!starts.some((each) => each.startsWith(start.slice(0, each.length)))) return undefined;
  const status = start.slice(-3);
  if (start.length === statusLength && (!/^1\d\d$/.test(status) || status === '101')) return undefined;
  const end = bytes.indexOf(endOfHead);
  if (end === -1) return bytes.length > longestHead ? undefined : { length: -1, isContinue: false };
  return { length: end + endOfHead.length, isContinue: status === '100' };
}

/**
 * Lets a connection pass over `100 Continue` before a response: a client has to accept interim responses that it did
 * not ask for (RFC 9110, section 15.2), and undici gives up the connection at this one. It passes over all others itself
 * except 101, which changes the protocol and stays an error. Bytes before a request or after the beginning of its
 * response are left as they are.
 */
export function passOverContinue(socket: Socket): Socket {
  const push = socket.push.bind(socket);
  /** What has arrived of the head of a response; undefined unless one is due. */
  let head: Buffer | undefined;
  connections.set(socket, () => (head = none));

  /** Hands on what is no `100 Continue`; keeps what may become one. */
  function take(arrived: Buffer): boolean {
    let rest = arrived;
    while (rest.length > 0) {
      const interim = interimIn(rest);
      if (!interim) {
        head = undefined;
        return push(rest);
      }
      if (interim.length === -1) break;
      if (!interim.isContinue) push(rest.subarray(0, interim.length));
      rest = rest.subarray(interim.length);
    }
    head = rest;
    return true;
  }

  socket.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    if (head === undefined) return push(chunk, encoding);
    if (chunk !== null) return take(Buffer.concat([head, chunk]));
    const rest = head;
    head = undefined;
    if (rest.length > 0) push(rest);
    return push(null);
  };
  return socket;
}
