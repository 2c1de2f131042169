import type { IncomingMessage } from 'node:http';
import { jsonLimits } from '#server/http/json.ts';
import { Failure } from '#server/failure.ts';

const { bytes: maximumBytes } = jsonLimits.batch;

/**
 * Reads the body of a program's call. Throws `too-large`; the rest is then discarded until the server's time-out, so
 * that the program can read the answer.
 */
export function readBody(request: IncomingMessage): Promise<Buffer> {
  const tooLarge = () => new Failure('too-large', `The request body is larger than ${maximumBytes} bytes.`);
  if (Number(request.headers['content-length'] ?? 0) > maximumBytes) return Promise.reject(tooLarge());
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
    const cut = () => reject(new Failure('invalid-request', 'The program hung up before its call had arrived.'));
    request
      .on('data', take)
      .once('end', () => resolve(Buffer.concat(pieces)))
      .once('error', cut)
      .once('close', cut);
  });
}
