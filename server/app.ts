import type Koa from 'koa';
import type { Middleware } from 'koa';
import { calls } from '#contract/calls.ts';
import type { CallName } from '#contract/calls.ts';
import { createAccess } from '#server/auth/signIn.ts';
import { noteCall } from '#server/calls/callContext.ts';
import { body } from '#server/http/body.ts';
import { chunkedResponse } from '#server/http/chunkedResponse.ts';
import { meet, type Guard } from '#server/http/guards.ts';
import { createKoa } from '#server/http/koa.ts';
import { requestLimits } from '#server/http/limits.ts';
import { observeRequests } from '#server/http/observeRequests.ts';
import { hostCheck, jsonOnly, originCheck } from '#server/http/origin.ts';
import type { OwnCommands } from '#server/http/ownCommands.ts';
import { page } from '#server/http/page.ts';
import { notificationsPath } from '#server/http/paths.ts';
import { problemResponses } from '#server/http/problems.ts';
import { createRates } from '#server/http/rateLimits.ts';
import { routerOf, routesOf } from '#server/http/routes.ts';
import { security } from '#server/http/security.ts';
import { requireSingleHeaders } from '#server/http/singleHeaders.ts';
import type { Rate } from '#server/http/tokenBucket.ts';
import { confirmUser, identifyAnybody } from '#server/http/user.ts';
import { writeLog } from '#server/http/writeLog.ts';
import { always } from '#server/ops/log.ts';
import { isOfPrograms } from '#server/programs/address.ts';
import { nameEarlierRequest } from '#server/api/earlierRequest.ts';
import { createRoutes, type ApiDeps } from '#server/api/routes.ts';

/** Dependencies of the application. */
export interface AppDeps extends ApiDeps {
  config: ApiDeps['config'] & {
    /** Addresses and networks of proxies whose X-Forwarded headers are trusted; none if absent. */
    trustedProxies?: readonly string[];
    /** Folder of the built page. */
    pageFolder: string;
    /** The commands that the page prints. */
    commands?: OwnCommands;
    /** The rate limit of one user, or of one address without a user; the default if absent. */
    rate?: Rate;
  };
}

/**
 * Builds the console's server: API, webhooks and page. It does not listen yet (see main.ts). All that a request passes on
 * its way to its route stands here, in its order.
 */
export function createApp(deps: AppDeps): Koa {
  const { config, log, clock, newId, metrics, onSpan } = deps;
  const rates = createRates(config.rate, clock);
  const access =
    config.access && createAccess(config.access, { ...deps, ...(config.fetch && { fetch: config.fetch }) });
  const { routes, programs, companyOf } = createRoutes(deps, rates, access);
  const router = routerOf(routes);
  const byRoute = routesOf(router);

  /** What a request of anybody but a program has to meet. The user comes first: what a refusal may tell depends on it. */
  const guards: readonly Guard[] = [
    access?.recognise ?? identifyAnybody,
    requireSingleHeaders,
    requestLimits(rates),
    hostCheck(config.allowedHosts),
    originCheck({ except: notificationsPath }),
    jsonOnly,
    confirmUser,
    body,
  ];

  const answer: Middleware = async (ctx, next) => {
    if (isOfPrograms(ctx.path)) return programs(ctx);
    try {
      await meet(guards, ctx);
      await byRoute(ctx, next);
    } catch (error) {
      const route = router.match(ctx.path, ctx.method).pathAndMethod.find(({ name }) => name);
      const name = route?.name as CallName | undefined; // as routed
      if (name) noteCall({ name });
      if (name && 'write' in calls[name]) await nameEarlierRequest(ctx, name, error, companyOf, rates);
      throw error;
    }
  };

  const pipeline: readonly Middleware[] = [
    observeRequests({
      newId,
      clock,
      log,
      // Where users share the console, who has done what is always logged.
      logWrite: access ? writeLog(always(log), access.subjectOf) : writeLog(log),
      isForwarded: isOfPrograms,
      metrics,
      onSpan,
    }),
    chunkedResponse,
    problemResponses(log),
    security(config.upstream, config.access, isOfPrograms),
    answer,
    page(config.pageFolder, config.upstream.environment, config.commands),
  ];
  const app = createKoa(log, config.trustedProxies);
  for (const each of pipeline) app.use(each);
  return app;
}
