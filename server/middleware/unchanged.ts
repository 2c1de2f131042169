import type { Context, Middleware } from 'koa';
import { calls } from '#contract/calls.ts';
import { scopeHeader } from '#contract/constants.ts';
import { userOf } from '#server/access/user.ts';
import type { News } from '#server/store/news.ts';

const { path: pattern } = calls.getMessage;
const [before = ''] = pattern.split('{');

/** Returns the message id in the path of a request for a message; '' for other requests. */
function messageIn({ method, path }: Context): string {
  if (method !== 'GET' || !path.startsWith(before)) return '';
  try {
    return decodeURIComponent(path.slice(before.length));
  } catch {
    return '';
  }
}

/**
 * Answers a request for a message that is unchanged since the page received it with 304, without reading the store.
 * Polling pages ask every second; these requests are not recorded, because they contain nothing new. Requests without a
 * scope are passed on, because their answer depends on the store.
 */
export const unchanged =
  (news: Pick<News, 'holds'>): Middleware =>
  (ctx, next) => {
    const [known, scope] = [ctx.get('If-None-Match').replace(/^W\//, ''), ctx.get(scopeHeader)];
    const id = known && scope && messageIn(ctx);
    if (!id || !news.holds({ workspace: userOf(ctx).workspace, scope }, id, known)) {
      return next();
    }
    ctx.set({ [scopeHeader]: scope, ETag: known, 'Cache-Control': 'no-store' });
    ctx.status = 304;
    return Promise.resolve();
  };
