import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Agent, Client, buildConnector, errors } from 'undici';
import type { Dispatcher } from 'undici';
import { passOverContinue } from './interimResponses.ts';

/** A request as it is sent: path, names of headers and body are not changed. */
export interface TransportRequest {
  method: string;
  origin: string;
  /** Path and query. */
  path: string;
  /** Values by name, or names and values in turn. */
  headers: Readonly<Record<string, string>> | readonly string[];
  body?: string | Buffer;
  /**
   * Whether the exchange has a connection that no other exchange has used or will use, so that a late answer to another
   * request cannot be taken for its own. For writes, and for tokens.
   */
  ownConnection?: boolean;
  /**
   * Called once the connection stands, directly before the request is written to it; if it throws, nothing is sent. Only
   * with a connection of its own.
   */
  mayBegin?: () => void;
  /** Ends the exchange; the transport then rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** Time-outs of one exchange, in ms. */
export interface Timeouts {
  /** Until the headers of the response have arrived. */
  headers: number;
  /** Between two chunks of the body. */
  body: number;
  /** Until the response is complete. */
  total: number;
}

interface TransportLimits {
  timeouts: Timeouts;
  /** Maximum number of bytes of the response's body. */
  maxBytes: number;
}

export interface TransportResponse {
  status: number;
  /** Names and values in turn, as received. */
  headers: readonly string[];
  body: Buffer;
  /** The fields after the body, by name. */
  trailers?: Readonly<Record<string, string | string[]>>;
}

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

/**
 * Why there is no usable response. `cut-short`: the response had begun. `unasked`: the other side sent bytes before the
 * request, or after the response, so that it is not known to which request the response belongs.
 */
export type TransportFault = 'unreachable' | 'timeout' | 'too-large' | 'not-http' | 'cut-short' | 'unasked';

/** Thrown if there is no complete response. `cause` is the underlying error. */
export class TransportError extends Error {
  readonly fault: TransportFault;
  /** False if the request was never handed to a connection, so that it cannot have taken effect. */
  readonly sent: boolean;

  constructor(fault: TransportFault, sent: boolean, cause: Error) {
    super(cause.message, { cause });
    this.name = 'TransportError';
    this.fault = fault;
    this.sent = sent;
  }
}

/** Marks the errors of connecting, before which nothing is sent. */
class ConnectionError extends Error {}

class TooLargeError extends Error {}

class UnaskedError extends Error {}

const named = (name: string, message: string): Error => Object.assign(new Error(message), { name });

function faultOf(error: Error, hasBegun: boolean): TransportFault {
  const timeouts = [errors.ConnectTimeoutError, errors.HeadersTimeoutError, errors.BodyTimeoutError];
  if (error.name === 'TimeoutError' || timeouts.some((kind) => error instanceof kind)) return 'timeout';
  if (error instanceof TooLargeError) return 'too-large';
  if (error instanceof UnaskedError) return 'unasked';
  if (error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError) return 'not-http';
  return hasBegun ? 'cut-short' : 'unreachable';
}

function transportErrorOf(error: Error, hasBegun: boolean): TransportError {
  const isUnsent = error instanceof ConnectionError || error instanceof errors.InvalidArgumentError;
  const cause = error instanceof ConnectionError ? (error.cause as Error) : error; // set below
  return new TransportError(faultOf(cause, hasBegun), !isUnsent, cause);
}

/** Reads a body whole. Throws a TooLargeError as soon as it exceeds `maxBytes`. */
async function wholeOf(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new TooLargeError(`more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Statuses of responses that have no body, whatever length their headers describe (RFC 9110, section 8.6). */
const withoutBody: readonly number[] = [204, 304];

/** Returns no body for the error that a described length was not sent; throws any other. */
function noneIfDescribed(error: unknown): Buffer {
  if (error instanceof errors.ResponseContentLengthMismatchError) return Buffer.alloc(0);
  throw error;
}

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

/**
 * Creates the transport over keep-alive connections, whose number is not limited, and connections of single exchanges.
 * `connect` replaces connections over the network.
 */
export function createTransport({
  connectTimeout = 3000,
  connect = buildConnector({ timeout: connectTimeout }),
}: { connectTimeout?: number; connect?: buildConnector.connector } = {}): ClosableTransport {
  const failed = (error: Error) => new ConnectionError(error.message, { cause: error });
  const agent = new Agent({
    connect: (options, done) =>
      connect(options, (...[error, socket]) =>
        error ? done(failed(error), null) : done(null, passOverContinue(socket)),
      ),
  });
  const alone = new Set<Promise<unknown>>();

  /**
   * Makes an exchange over a connection of its own. The connection stays open until the response has been read, so that
   * the parser meets what follows the response, and is then closed.
   */
  async function exchangeAlone<T>(
    { origin, mayBegin }: Pick<TransportRequest, 'origin' | 'mayBegin'>,
    exchange: (dispatcher: Dispatcher) => Promise<T>,
  ): Promise<T> {
    let used: Socket | undefined;
    const client = new Client(origin, {
      connect: (options, done) =>
        connect(options, (...[connectError, socket]) => {
          if (connectError) return done(failed(connectError), null);
          used = socket;
          void requireQuiet(socket)
            .then(mayBegin)
            .then(
              () => done(null, passOverContinue(socket)),
              (error: unknown) => {
                socket.destroy();
                done(failed(error as Error), null); // of both
              },
            );
        }),
    });
    try {
      const response = await exchange(client);
      await nextTurn();
      if (isOfUnasked(used?.errored ?? null)) throw new UnaskedError('bytes followed the response');
      return response;
    } finally {
      await client.destroy();
    }
  }

  const send: Transport = async (
    { signal, body, ownConnection = false, mayBegin, ...request },
    { timeouts, maxBytes },
  ) => {
    const overdue = new AbortController();
    const timer = setTimeout(
      () => overdue.abort(named('TimeoutError', `no complete response within ${timeouts.total} ms`)),
      timeouts.total,
    );
    let hasBegun = false;
    const exchange = async (dispatcher: Dispatcher): Promise<TransportResponse> => {
      const response = await dispatcher.request({
        ...request,
        headers: request.headers as Record<string, string> | string[], // undici does not change them
        body: body ?? null,
        responseHeaders: 'raw',
        headersTimeout: timeouts.headers,
        bodyTimeout: timeouts.body,
        signal: signal ? AbortSignal.any([signal, overdue.signal]) : overdue.signal,
      });
      hasBegun = true;
      const { statusCode: status, trailers } = response;
      const reading = wholeOf(response.body as AsyncIterable<Buffer>, maxBytes); // not decoded
      return {
        status,
        headers: response.headers as unknown as string[], // because of `responseHeaders`
        body: await (withoutBody.includes(status) ? reading.catch(noneIfDescribed) : reading),
        trailers,
      };
    };
    try {
      if (!ownConnection) return await exchange(agent);
      const answer = exchangeAlone({ origin: request.origin, ...(mayBegin && { mayBegin }) }, exchange);
      alone.add(answer);
      return await answer.finally(() => alone.delete(answer));
    } catch (error) {
      signal?.throwIfAborted();
      throw transportErrorOf(error as Error, hasBegun); // undici throws errors only
    } finally {
      clearTimeout(timer);
    }
  };
  const close = async () => void (await Promise.all([agent.close(), Promise.allSettled(alone)]));
  return Object.assign(send, { close });
}
