import { errors } from 'undici';
import type { Dispatcher } from 'undici';

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
  /** Called at once with a function that ends the exchange, which then rejects with the reason. */
  onBegun?: (end: (reason: Error) => void) => void;
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

export interface TransportLimits {
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

/** Bytes arrived that belong to no request. */
export class UnaskedError extends Error {}

class TooLargeError extends Error {}

function faultOf(error: Error, hasBegun: boolean): TransportFault {
  const timeouts = [errors.ConnectTimeoutError, errors.HeadersTimeoutError, errors.BodyTimeoutError];
  if (error.name === 'TimeoutError' || timeouts.some((kind) => error instanceof kind)) return 'timeout';
  if (error instanceof TooLargeError) return 'too-large';
  if (error instanceof UnaskedError) return 'unasked';
  if (error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError) return 'not-http';
  return hasBegun ? 'cut-short' : 'unreachable';
}

/** Statuses of responses that have no body, whatever length their headers describe (RFC 9110, section 8.6). */
const withoutBody: readonly number[] = [204, 304];

const hasNone = (status: number, error: Error): boolean =>
  withoutBody.includes(status) && error instanceof errors.ResponseContentLengthMismatchError;

/** Returns names and values in turn; one character for each byte of a value. */
const textsOf = (raw: readonly Buffer[]): string[] => raw.map((each) => each.toString('latin1'));

/** Reads the response to one request whole, within the limits of the exchange. */
class WholeResponse implements Dispatcher.DispatchHandler {
  readonly #settle: (outcome: TransportResponse | Error) => void;
  readonly #maxBytes: number;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: readonly string[] = [];
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #end: Error | undefined;

  constructor(maxBytes: number, settle: (outcome: TransportResponse | Error) => void) {
    this.#maxBytes = maxBytes;
    this.#settle = settle;
  }

  /** Ends the exchange; a request that has not been handed to a connection is not sent any more. */
  abort(reason: Error): void {
    if (this.#end) return;
    this.#end = reason;
    this.#controller?.abort(reason);
    this.#fail(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#end) controller.abort(this.#end);
    else this.#controller = controller;
  }

  /** Called for each interim response too. */
  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = textsOf(controller.rawHeaders as Buffer[]); // as undici's own clients read them
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#maxBytes) this.abort(new TooLargeError(`more than ${this.#maxBytes} bytes`));
    else this.#chunks.push(chunk);
  }

  onResponseEnd(
    _controller: Dispatcher.DispatchController,
    trailers: Record<string, string | string[] | undefined>,
  ): void {
    const [only] = this.#chunks;
    const body = only && this.#chunks.length === 1 ? only : Buffer.concat(this.#chunks);
    this.#answer(body, trailers as NonNullable<TransportResponse['trailers']>); // undici's type is that of Node's parser
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    if (hasNone(this.#status, error)) this.#answer(Buffer.alloc(0), {});
    else this.#fail(error);
  }

  #answer(body: Buffer, trailers: NonNullable<TransportResponse['trailers']>): void {
    this.#settle({ status: this.#status, headers: this.#headers, body, trailers });
  }

  #fail(error: Error): void {
    this.#settle(new TransportError(faultOf(error, this.#status !== 0), this.#controller !== undefined, error));
  }
}

const overdue = (ms: number): Error =>
  Object.assign(new Error(`no complete response within ${ms} ms`), { name: 'TimeoutError' });

/**
 * Sends a request over the connections of a dispatcher, and reads the response whole. Rejects with a TransportError, or
 * with the reason for which it was ended.
 */
export function exchange(
  dispatcher: Dispatcher,
  { method, origin, path, headers, body, onBegun }: TransportRequest,
  { timeouts, maxBytes }: TransportLimits,
): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    let endedBecause: Error | undefined;
    const response = new WholeResponse(maxBytes, (outcome) => {
      clearTimeout(timer);
      if (endedBecause) reject(endedBecause);
      else if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
    });
    const timer = setTimeout(() => response.abort(overdue(timeouts.total)), timeouts.total);
    onBegun?.((reason) => {
      endedBecause ??= reason;
      response.abort(reason);
    });
    if (endedBecause) return;
    dispatcher.dispatch(
      {
        method,
        origin,
        path,
        body: body ?? null,
        headers: headers as Record<string, string> | string[], // undici does not change them
        headersTimeout: timeouts.headers,
        bodyTimeout: timeouts.body,
      },
      response,
    );
  });
}
