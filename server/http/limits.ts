import type { Context } from 'koa';
import { signInPath, healthPaths, notificationsPath } from './paths.ts';
import { currentUser } from './user.ts';
import { Failure } from '#server/failure.ts';
import type { Guard } from './guards.ts';
import { networkOf } from './networks.ts';
import type { Rates } from './rateLimits.ts';
import { isOfFile } from './page.ts';

/**
 * Maximum length of path and query in characters; the longest URL of the page contains a payment file's link with its
 * token.
 */
const longestUrl = 8 * 1024;

/** Paths that must stay reachable whatever a page does. */
const alwaysReachable: readonly string[] = [...healthPaths, notificationsPath];

/** Returns the path in lower case and without trailing slashes, as the router compares paths. */
const startOf = (path: string): string => path.toLowerCase().replace(/\/+$/, '');

/**
 * Refuses requests beyond their caller's rate limit (429) or with too long a URL (414). A caller is a signed-in user
 * with all sessions, otherwise an address (IPv6: a /64 network). The page's files are counted separately. Health
 * checks, webhooks and signing in must stay reachable whatever a page does, so each has its own limit per address.
 */
export function requestLimits({ requests, files, apart }: Rates): Guard {
  /** Returns the limit of a request, its caller's key, and a name for the caller in messages. */
  function countedBy(ctx: Context) {
    const path = startOf(ctx.path);
    const own = alwaysReachable.find((each) => path === each);
    const isSignIn = path === signInPath || path.startsWith(`${signInPath}/`);
    const group = own ?? (isSignIn ? signInPath : undefined);
    const network = networkOf(ctx.ip);
    if (group !== undefined) return { limit: apart, caller: `${group} ${network}`, whose: network };
    const limit = isOfFile(ctx.method, path) ? files : requests;
    const user = currentUser();
    return user?.session === undefined
      ? { limit, caller: `address ${network}`, whose: network }
      : { limit, caller: `user ${user.workspace}`, whose: 'you' };
  }

  return (ctx) => {
    const { limit, caller, whose } = countedBy(ctx);
    const retryAfter = limit.take(caller);
    if (retryAfter > 0)
      throw new Failure('rate-limited', `More than ${limit.perSecond} requests a second came from ${whose}.`, {
        retryAfter,
      });
    if (ctx.url.length > longestUrl)
      throw new Failure('too-large', `The address is longer than ${longestUrl} bytes.`, { status: 414 });
  };
}
