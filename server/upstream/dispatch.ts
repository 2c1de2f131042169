import { errors } from './undici.ts';
import type { Agent, Dispatcher } from 'undici';

interface Answer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
}

interface Limits {
  /** Maximum bytes of the body; the connection is closed before more are buffered. */
  most: number;
  /** Time (ms) until the answer is complete. */
  total: number;
}

const timeout = (total: number) =>
  Object.assign(new Error(`no complete answer within ${total} ms`), { name: 'TimeoutError' });

/**
 * Sends a request and reads its answer as UTF-8; `begins` is called when the headers have arrived. Rejects with undici's
 * errors, or with a TimeoutError. It is used in place of undici's `request`, whose stream and signal take several times
 * as long as all the rest.
 */
export function dispatch(
  agent: Agent,
  options: Dispatcher.DispatchOptions,
  { most, total }: Limits,
  begins: () => void,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    let [status, headers]: [number, Answer['headers']] = [0, {}];
    let abort: ((reason: Error) => void) | undefined;
    let late: Error | undefined;
    const timer = setTimeout(() => {
      late = timeout(total);
      reject(late);
      abort?.(late);
    }, total);
    agent.dispatch(options, {
      onRequestStart(controller) {
        abort = (reason) => controller.abort(reason);
        // It may have waited for a connection all the time.
        if (late) controller.abort(late);
      },
      onResponseStart(_controller, statusCode, given) {
        if (statusCode < 200) return;
        [status, headers] = [statusCode, given];
        begins();
      },
      onResponseData(controller, piece) {
        length += piece.length;
        if (length > most) controller.abort(new errors.ResponseExceededMaxSizeError());
        else pieces.push(piece);
      },
      onResponseEnd() {
        clearTimeout(timer);
        resolve({ status, headers, text: Buffer.concat(pieces).toString('utf8') });
      },
      onResponseError(_controller, error) {
        clearTimeout(timer);
        reject(error);
      },
    });
  });
}
