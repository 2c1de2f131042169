import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { send } from '@koa/send';
import type { Middleware } from 'koa';
import { signInPath } from '#server/access/config.ts';
import { maybeUserOf } from '#server/access/user.ts';
import { Failure } from '#server/failure.ts';
import { html } from '#server/html.ts';
import type { UpstreamConfig } from '#server/upstream/config.ts';
import { noncePlaceholder } from './security.ts';

type Environment = UpstreamConfig['environment'];

const year = 365 * 24 * 60 * 60 * 1000;

/**
 * Serves the built page from `folder`: files under /assets/ carry a hash in their names and may be kept for ever; every
 * path without an extension is a route of the page and gets index.html with this request's nonce in it, the environment
 * that the console works in and the name of the user. Who has to sign in is sent there first.
 */
export const page = (folder: string, environment: Environment): Middleware => {
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
      const user = maybeUserOf(ctx);
      if (!user) {
        ctx.redirect(`${signInPath}?${new URLSearchParams({ then: ctx.path + ctx.search }).toString()}`);
        return;
      }
      ctx.type = 'html';
      const metas = [
        html`<meta name="environment" content="${environment}" />`,
        ...(user.name
          ? [html`<meta name="user" content="${user.name}" /><meta name="subject" content="${user.subject}" />`]
          : []),
      ];
      ctx.body = (await document())
        .replaceAll(noncePlaceholder, String(ctx.state['nonce']))
        .replace('</head>', () => `${metas.map(({ text }) => text).join('')}</head>`);
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
