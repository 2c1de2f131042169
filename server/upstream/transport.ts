import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Agent, Client, errors, type buildConnector } from 'undici';
import { connectorFor, type OutgoingProxies } from '#server/http/outgoingProxy.ts';
import { exchange, TransportError, UnaskedError } from './exchange.ts';
import type { TransportLimits, TransportRequest, TransportResponse } from './exchange.ts';

/** Returns headers by lower-case name; the values of headers of the same name are joined. */
export function headersByName(headers: readonly string[]): Record<string, string> {
  const found = new Map<string, string>();
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const [name, value] = [headers[at]!.toLowerCase(), headers[at + 1]!]; // within the list
    const before = found.get(name);
    found.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(found);
}

/**
 * Makes one HTTP exchange and reads the response whole. This is all that reaches the service, or a receiver of webhooks:
 * over the network, or in the same process (inProcess.ts). Follows no redirects and repeats nothing. Rejects with a
 * TransportError.
 */
export type Transport = (request: TransportRequest, limits: TransportLimits) => Promise<TransportResponse>;

/** `close` waits for the exchanges in progress. */
export type ClosableTransport = Transport & { close(): Promise<void> };

/** Rejects if the other side of a connection has sent something before any request, or has failed. */
async function requireQuiet(socket: Socket): Promise<void> {
  // What was sent with the connection arrives in the next turn.
  await nextTurn();
  await nextTurn();
  const fault = socket.readableLength > 0 ? new UnaskedError('bytes arrived before the request') : socket.errored;
  if (!fault) return;
  throw fault;
}

/** The errors with which the parser ends a connection that carries what belongs to no request. */
const isOfUnasked = (error: Error | null): boolean =>
  error instanceof errors.HTTPParserError || (error instanceof errors.SocketError && error.message === 'bad response');

/** Whether a response says where it ends, and not by the end of its connection. */
const statesItsEnd = ({ headers }: TransportResponse): boolean =>
  headers.some((name, at) => at % 2 === 0 && /^(?:content-length|transfer-encoding)$/i.test(name));

/**
 * Creates the transport over keep-alive connections, whose number is not limited, and connections of single exchanges.
 * They go through the proxies. `connect` replaces connections over the network.
 */
export function createTransport({
  connectTimeout = 3000,
  proxies,
  connect = connectorFor(proxies, connectTimeout),
}: {
  connectTimeout?: number;
  proxies?: OutgoingProxies | undefined;
  connect?: buildConnector.connector;
} = {}): ClosableTransport {
  const agent = new Agent({ connect });
  const alone = new Set<Promise<unknown>>();

  /**
   * Makes an exchange over a connection of its own. The connection stays open until the response has been read, so that
   * the parser meets what follows the response, and is then closed.
   */
  async function exchangeAlone(request: TransportRequest, limits: TransportLimits): Promise<TransportResponse> {
    let used: Socket | undefined;
    const client = new Client(request.origin, {
      connect: (options, done) =>
        connect(options, (...[connectError, socket]) => {
          if (connectError) return done(connectError, null);
          used = socket;
          void requireQuiet(socket)
            .then(request.mayBegin)
            .then(
              () => done(null, socket),
              (error: unknown) => {
                socket.destroy();
                done(error as Error, null); // of both
              },
            );
        }),
    });
    try {
      const response = await exchange(client, request, limits);
      await nextTurn();
      const fault = used?.errored ?? null;
      if (isOfUnasked(fault))
        throw new TransportError('unasked', true, new UnaskedError('bytes followed the response'));
      // undici takes a reset for the end of such a response; its own error is that of an ordinary end.
      if (fault && !(fault instanceof errors.InformationalError) && !statesItsEnd(response))
        throw new TransportError('cut-short', true, fault);
      return response;
    } finally {
      await client.destroy();
    }
  }

  const send: Transport = (request, limits) => {
    if (!request.ownConnection) return exchange(agent, request, limits);
    const answer = exchangeAlone(request, limits);
    alone.add(answer);
    return answer.finally(() => alone.delete(answer));
  };
  const close = async () => void (await Promise.all([agent.close(), Promise.allSettled(alone)]));
  return Object.assign(send, { close });
}
