import { Readable } from 'node:stream';
import { errors } from './undici.ts';
import type { Agent, Dispatcher } from 'undici';

/** Thrown for a compressed answer, which would have to be decompressed. */
export class CompressedError extends Error {}

const compressed = /\b(?:gzip|deflate|br|zstd|compress)\b/i;
const isCompressed = (headers: Answer['headers']): boolean =>
  compressed.test(String(headers['content-encoding'] ?? ''));

interface Answer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body; '' for a compressed refusal. */
  text: string;
  /** Present if the answer is longer than `held`: the first bytes, and a stream of the others. `text` is '' then. */
  long?: { first: Buffer; rest: Readable };
}

interface Limits {
  /** Maximum number of bytes of the body; beyond it, the connection is closed. */
  most: number;
  /** Maximum time (ms) until the answer is complete. */
  total: number;
  /** Number of bytes above which the rest of a successful answer is streamed; if absent, nothing is streamed. */
  held?: number;
}

/** Factor of the time allowed for an answer that is streamed to a client, which may be slow. */
const patienceWithClients = 10;

const timeout = (total: number) =>
  Object.assign(new Error(`no complete answer within ${total} ms`), { name: 'TimeoutError' });

/**
 * Sends a request and reads its answer as UTF-8; calls `begins` when the headers have arrived. Rejects with undici's
 * errors, with a TimeoutError, or with a CompressedError if a successful answer is compressed. Replaces undici's
 * `request`, whose stream and signal take several times as long as everything else.
 */
export function dispatch(
  agent: Agent,
  options: Dispatcher.DispatchOptions,
  { most, total, held = Infinity }: Limits,
  begins: () => void,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    let [status, headers]: [number, Answer['headers']] = [0, {}];
    let abort: ((reason: Error) => void) | undefined;
    let late: Error | undefined;
    let rest: Readable | undefined;
    const endAfter = (ms: number) =>
      setTimeout(() => {
        late = timeout(ms);
        reject(late);
        abort?.(late);
      }, ms);
    let timer = endAfter(total);
    const stream = (controller: Dispatcher.DispatchController): Readable =>
      new Readable({
        read: () => controller.resume(),
        destroy(error, done) {
          clearTimeout(timer);
          if (!this.readableEnded) controller.abort(error ?? new Error('the client has left'));
          done(error);
        },
      });
    agent.dispatch(options, {
      onRequestStart(controller) {
        abort = (reason) => controller.abort(reason);
        // The request may have timed out while it waited for a connection.
        if (late) controller.abort(late);
      },
      onResponseStart(controller, statusCode, given) {
        if (statusCode < 200) return;
        [status, headers] = [statusCode, given];
        begins();
        if (status < 300 && isCompressed(headers)) controller.abort(new CompressedError());
      },
      onResponseData(controller, piece) {
        length += piece.length;
        if (length > most) controller.abort(new errors.ResponseExceededMaxSizeError());
        else if (rest) {
          if (!rest.push(piece)) controller.pause();
        } else {
          pieces.push(piece);
          if (length <= held || status >= 300) return;
          clearTimeout(timer);
          timer = endAfter(patienceWithClients * total);
          rest = stream(controller);
          controller.pause();
          resolve({ status, headers, text: '', long: { first: Buffer.concat(pieces), rest } });
          pieces.length = 0;
        }
      },
      onResponseEnd() {
        clearTimeout(timer);
        rest?.push(null);
        const body = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
        resolve({ status, headers, text: isCompressed(headers) ? '' : body.toString('utf8') });
      },
      onResponseError(_controller, error) {
        clearTimeout(timer);
        rest?.destroy(error);
        reject(error);
      },
    });
  });
}
