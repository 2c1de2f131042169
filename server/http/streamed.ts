import { PassThrough, pipeline, Transform } from 'node:stream';
import type { Readable } from 'node:stream';
import type { StreamMask } from '../mask.ts';

/** A text too long for memory, streamed from the service to the client. */
export class Streamed {
  /** The beginning, unmasked; for the record. */
  readonly beginning: string;
  /** UTF-8. Destroying it ends the request to the service. */
  readonly stream: Readable;
  /** Resolves when the stream has ended or failed, with the number of bytes received, and whether they are complete. */
  readonly ended: Promise<{ bytes: number; isWhole: boolean }>;

  constructor(beginning: string, stream: Readable, ended: Streamed['ended']) {
    this.beginning = beginning;
    this.stream = stream;
    this.ended = ended;
  }
}

/** Streams `first`, then `rest`, through a mask. */
export function streamed(first: Buffer, rest: Readable, mask: StreamMask): Streamed {
  let bytes = 0;
  const masked = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      for (const piece of mask.next(chunk)) this.push(piece);
      done();
    },
    flush(done) {
      done(null, mask.end());
    },
  });
  const stream = new PassThrough();
  const ended = new Promise<{ bytes: number; isWhole: boolean }>((resolve) => {
    pipeline(rest, masked, stream, (error) => resolve({ bytes, isWhole: !error }));
  });
  masked.write(first);
  // The sender of the stream handles its errors too; without a listener, an error would end the process.
  stream.on('error', () => undefined);
  return new Streamed(first.toString('utf8'), stream, ended);
}
