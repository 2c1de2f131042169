import type { IncomingMessage } from 'node:http';
import { brotliDecompressSync, constants, unzipSync } from 'node:zlib';
import { jsonLimits } from '#server/http/json.ts';
import { Failure } from '#server/failure.ts';

const { bytes: maximumBytes } = jsonLimits.batch;

/**
 * Reads the body of a program's call. Throws `too-large`; the rest is then discarded until the server's time-out, so
 * that the program can read the answer.
 */
export function bodyOf(request: IncomingMessage): Promise<Buffer> {
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

/** Maximum number of bytes to which a body is decompressed for the record. */
const maximumRecorded = 1024 * 1024;

/**
 * Returns a body as text for the record; a body that cannot be decompressed is described instead. Accepts a truncated
 * body.
 */
export function textOf(body: Buffer, encoding = ''): string {
  if (body.length === 0 || encoding === '' || encoding === 'identity') return body.toString('utf8');
  try {
    if (/^(x-)?gzip$|^deflate$/.test(encoding))
      return unzipSync(body, { maxOutputLength: maximumRecorded, finishFlush: constants.Z_SYNC_FLUSH }).toString(
        'utf8',
      );
    if (encoding === 'br')
      return brotliDecompressSync(body, {
        maxOutputLength: maximumRecorded,
        finishFlush: constants.BROTLI_OPERATION_FLUSH,
      }).toString('utf8');
  } catch {
    // Described below.
  }
  return `(compressed: ${encoding})`;
}
