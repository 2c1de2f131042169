import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { send } from '@koa/send';
import type { Middleware } from 'koa';
import { Failure } from '#server/failure.ts';
import { noncePlaceholder } from './security.ts';

const year = 365 * 24 * 60 * 60 * 1000;

/**
 * Serves the built page from `folder`: files under /assets/ carry a hash in their names and may be kept for ever; every
 * path without an extension is a route of the page and gets index.html with this request's nonce in it.
 */
export const page = (folder: string): Middleware => {
  const document = () =>
    readFile(join(folder, 'index.html'), 'utf8').catch(() => {
      throw new Failure('not-found', 'The page is not built: run npm run build, or npm start.');
    });

  return async (ctx, next) => {
    const reading = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (!reading || /^\/api(-|\/|$)/.test(ctx.path)) {
      await next();
      return;
    }

    ctx.vary('Accept-Encoding');
    if (extname(ctx.path) === '') {
      ctx.set('Cache-Control', 'no-store');
      ctx.type = 'html';
      ctx.body = (await document()).replaceAll(noncePlaceholder, String(ctx.state['nonce']));
      return;
    }
    const hashed = ctx.path.startsWith('/assets/');
    if (!hashed) ctx.set('Cache-Control', 'no-cache');
    await send(ctx, ctx.path, { root: folder, ...(hashed && { maxAge: year, immutable: true }) }).catch(absent);
  };
};

/** A file that is not there is left to the 404 of everything unknown. */
function absent(error: unknown): void {
  if (!(error instanceof Error && 'status' in error && (error.status === 404 || error.status === 403))) throw error;
}
