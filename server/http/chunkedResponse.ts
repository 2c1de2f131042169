import { Readable } from 'node:stream';
import type { Middleware } from 'koa';

/** Number of bytes that are sent at once. */
const chunkSize = 64 * 1024;

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += chunkSize) yield bytes.subarray(from, from + chunkSize);
}

/**
 * Sends a long answer in pieces, so that the server sees that a slow client goes on reading it (http/httpServer.ts): of
 * one long write, nothing shows until its end.
 */
export const chunkedResponse: Middleware = async (ctx, next) => {
  await next();
  const body: unknown = ctx.body;
  if ((typeof body !== 'string' && !Buffer.isBuffer(body)) || body.length <= chunkSize) return;
  const bytes = Buffer.from(body as string); // a buffer is copied no more than a text
  ctx.body = Readable.from(chunksOf(bytes));
  ctx.length = bytes.length;
};
