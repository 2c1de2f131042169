import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { send } from '@koa/send';
import type { Context, Middleware } from 'koa';
import conditionalGet from 'koa-conditional-get';
import etag from '@koa/etag';
import { calls } from '#contract/calls.ts';
import { answerOtherMethod } from './routes.ts';
import { signInPath } from './paths.ts';
import { currentUser } from './user.ts';
import { Failure } from '#server/failure.ts';
import { html } from './html.ts';
import type { OwnCommands } from './ownCommands.ts';
import { allowStyles, noncePlaceholder } from './security.ts';

type Environment = 'sandbox' | 'live';

const compare = conditionalGet();
const tag = etag();
const year = 365 * 24 * 60 * 60 * 1000;

const compress = promisify(brotliCompress);
/** At a quality that takes about a millisecond for the page; the build compresses files at the highest. */
const brotli = (text: string) => compress(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
const zip = promisify<string, Buffer>(gzip);

/** Sends a text made for this request, compressed as the browser accepts. */
async function sendCompressed(ctx: Context, text: string): Promise<void> {
  ctx.vary('Accept-Encoding');
  // Each checked against `identity` only: browsers list gzip before br without preferring it.
  const encoding = (['br', 'gzip'] as const).find((each) => ctx.acceptsEncodings(each, 'identity') === each);
  if (encoding) ctx.set('Content-Encoding', encoding);
  ctx.body = encoding ? await { br: brotli, gzip: zip }[encoding](text) : text;
}

/**
 * Starts the page's first read before its code has loaded. Not for a signed-in user: the page's calls carry the id of
 * the user it was loaded for (contract, subjectHeader), which a link cannot.
 */
const facts = `<link rel="preload" as="fetch" crossorigin href="${calls.getFacts.path}" />`;

/**
 * Serves the built page from `folder`. Sends the brotli or gzip version of a file if the build has created one and the
 * browser accepts it. Files under /assets/ have a hash in their names and are cached for ever; all other files are
 * revalidated by their ETag (304). Every path without an extension is a route of the page and gets index.html (as
 * prerendered for that route, if the build did that) with this request's nonce, the console's environment, its commands,
 * the user's name and the modules of the route. Users who must sign in are redirected first.
 */
export const page = (folder: string, environment: Environment, commands: Partial<OwnCommands> = {}): Middleware => {
  const read = (file: string) => readFile(join(folder, file), 'utf8').catch(() => undefined);
  const routes = async () => JSON.parse((await read('.vite/routes.json')) ?? '{}') as Record<string, string[]>; // by scripts/prerender.mjs
  const preloads = async (path: string) => {
    const known = await routes();
    return Object.hasOwn(known, path) ? (known[path] ?? []) : [];
  };
  const document = async (path: string) => {
    const name = fileOf(path);
    const isKnown = path === '/' || Object.hasOwn(await routes(), path);
    const text = (isKnown && (await read(`.vite/${name}.${environment}.html`))) || (await read('index.html'));
    if (text === undefined) throw new Failure('not-found', 'The page is not built: run npm run build, or npm start.');
    return text;
  };

  return async (ctx, next) => {
    if (isOfApi(ctx.path)) return void (await next());
    if (!isSafeMethod(ctx.method)) return answerOtherMethod(ctx, safeMethods);

    ctx.vary('Accept-Encoding');
    if (!isOfFile(ctx.method, ctx.path)) {
      ctx.set('Cache-Control', 'no-store');
      const user = currentUser();
      if (!user) {
        ctx.redirect(`${signInPath}?${new URLSearchParams({ then: ctx.path + ctx.search }).toString()}`);
        return;
      }
      ctx.type = 'html';
      const head = [
        ...(await preloads(ctx.path)).map((file) => html`<link rel="modulepreload" crossorigin href="${file}" />`),
        html`<meta name="environment" content="${environment}" />`,
        ...Object.entries(commands).map(([name, command]) => html`<meta name="${name}" content="${command}" />`),
        ...(user.name
          ? [html`<meta name="user" content="${user.name}" /><meta name="subject" content="${user.subject}" />`]
          : []),
      ];
      const text = (await document(ctx.path))
        .replaceAll(noncePlaceholder, allowStyles(ctx))
        .replace('<head>', user.name ? '<head>' : `<head>${facts}`)
        .replace('</head>', () => `${head.map((each) => each.text).join('')}</head>`);
      await sendCompressed(ctx, text);
      return;
    }
    const hashed = ctx.path.startsWith('/assets/');
    if (!hashed) ctx.set('Cache-Control', 'no-cache');
    const file = async () =>
      void (await send(ctx, ctx.path, { root: folder, ...(hashed && { maxAge: year, immutable: true }) }));
    try {
      await compare(ctx, () => tag(ctx, file)); // untyped
    } catch (error) {
      notFoundPage(error);
    }
  };
};

/** The name of the prerendered document of a route (scripts/prerender.mjs). */
function fileOf(path: string): string {
  if (path === '/') return 'home';
  return path.startsWith('/journeys/') ? 'chart' : path.slice(1);
}

/**
 * Whether a request is for one of the page's files rather than for a page or the API. index.html does not count: as a
 * file it would lack its nonce.
 */
export const isOfFile = (method: string, path: string): boolean =>
  isSafeMethod(method) && !isOfApi(path) && extname(path) !== '' && path !== '/index.html';

const safeMethods = ['GET', 'HEAD'];
export const isSafeMethod = (method: string): boolean => safeMethods.includes(method);
export const isOfApi = (path: string): boolean => /^\/api(-|\/|$)/i.test(path);

/** Treats a missing file as not found, so that the general 404 follows; rethrows other errors. */
function notFoundPage(error: unknown): void {
  if (!(error instanceof Error && 'status' in error && (error.status === 404 || error.status === 403))) throw error;
}
