import type { IncomingMessage } from 'node:http';
import { jsonLimits } from '#server/http/json.ts';
import { Failure } from '#server/failure.ts';

const { bytes: maximumBytes } = jsonLimits.batch;

const tooLarge = () => new Failure('too-large', `The request body is larger than ${maximumBytes} bytes.`);

/** Whether a request announces a body (RFC 9112, section 6.3). */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/**
 * Reads the body of a program's call. Throws `too-large`; the rest is then discarded until the server's time-out, so
 * that the program can read the answer.
 */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  if (!hasBody(request)) return Buffer.alloc(0);
  if (Number(request.headers['content-length'] ?? 0) > maximumBytes) throw tooLarge();
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    const take = (piece: Buffer) => {
      length += piece.length;
      pieces.push(piece);
      if (length <= maximumBytes) return;
      pieces.length = 0;
      request.off('data', take).resume();
      reject(tooLarge());
    };
    const end = () => {
      request.off('error', cut).off('close', cut);
      resolve(Buffer.concat(pieces));
    };
    const cut = () => reject(new Failure('invalid-request', 'The program hung up before its call had arrived.'));
    request.on('data', take).once('end', end).once('error', cut).once('close', cut);
  });
}
