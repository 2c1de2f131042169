import type { Agent, Dispatcher } from 'undici';
import { errors } from './undici.ts';

/** Receives an answer as it arrives. */
export interface Sink {
  /** Called once, with the raw headers: names and values alternate. */
  begins: (status: number, headers: readonly string[]) => void;
  /** Returns false to pause until `drained` calls back. */
  takes: (piece: Buffer) => boolean;
  drained: (resume: () => void) => void;
}

interface Limits {
  /** Maximum number of bytes of the answer. */
  most: number;
  /** Maximum times (ms) until the headers of the answer have arrived, and until it is complete. */
  headers: number;
  total: number;
}

const timeout = (ms: number) => Object.assign(new Error(`no answer within ${ms} ms`), { name: 'TimeoutError' });

/** Decodes header names and values, which alternate; each byte becomes one character. */
const textsOf = (raw: unknown): string[] =>
  Array.isArray(raw)
    ? raw.map((each: Buffer | string) => (typeof each === 'string' ? each : each.toString('latin1')))
    : [];

/**
 * Sends a request and forwards its answer byte for byte. Aborts the request on `signal`. Rejects with undici's errors,
 * with a TimeoutError, or with the reason of the signal.
 */
export function forward(
  agent: Agent,
  options: Dispatcher.DispatchOptions,
  { most, headers, total }: Limits,
  sink: Sink,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let length = 0;
    let abort: ((reason: Error) => void) | undefined;
    let over: Error | undefined;
    const stop = (reason: Error) => {
      over = reason;
      ended();
      reject(reason);
      abort?.(reason);
    };
    const timers = [headers, total].map((ms) => setTimeout(() => stop(timeout(ms)), ms));
    const left = () => stop(signal.reason as Error); // the console's reasons are Errors
    const ended = () => {
      timers.forEach(clearTimeout);
      signal.removeEventListener('abort', left);
    };
    signal.addEventListener('abort', left);
    agent.dispatch(options, {
      onRequestStart(controller) {
        abort = (reason) => controller.abort(reason);
        if (over) controller.abort(over);
      },
      onResponseStart(controller, status) {
        if (status < 200) return;
        clearTimeout(timers[0]);
        sink.begins(status, textsOf(controller.rawHeaders));
      },
      onResponseData(controller, piece) {
        length += piece.length;
        if (length > most) controller.abort(new errors.ResponseExceededMaxSizeError());
        else if (!sink.takes(piece)) {
          controller.pause();
          sink.drained(() => controller.resume());
        }
      },
      onResponseEnd() {
        ended();
        resolve();
      },
      onResponseError(_controller, error) {
        ended();
        reject(error);
      },
    });
    if (signal.aborted) left();
  });
}
