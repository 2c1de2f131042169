import { Readable } from 'node:stream';
import type { Middleware } from 'koa';

/** Number of bytes that are sent at once. */
const piece = 64 * 1024;

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += piece) yield bytes.subarray(from, from + piece);
}

/**
 * Sends a long answer in pieces, so that the server sees that a slow client goes on reading it (http/httpServer.ts): of
 * one long write, nothing shows until its end.
 */
export const inPieces: Middleware = async (ctx, next) => {
  await next();
  const body: unknown = ctx.body;
  if ((typeof body !== 'string' && !Buffer.isBuffer(body)) || body.length <= piece) return;
  const bytes = Buffer.from(body as string); // a buffer is copied no more than a text
  ctx.body = Readable.from(piecesOf(bytes));
  ctx.length = bytes.length;
};
