import type Koa from 'koa';
import type { Middleware } from 'koa';
import { notificationsPath } from '#server/http/paths.ts';
import { createAccess } from '#server/auth/signIn.ts';
import { anybody, identify } from '#server/http/user.ts';
import { body } from '#server/http/body.ts';
import { identifyRequests } from '#server/http/identifyRequests.ts';
import { measureRequests, requestLog, traceRequests } from '#server/http/observeRequests.ts';
import { always } from '#server/ops/log.ts';
import { writeLog } from '#server/http/writeLog.ts';
import { requestLimits } from '#server/http/limits.ts';
import { chunkedResponse } from '#server/http/chunkedResponse.ts';
import { hostCheck, jsonOnly, originCheck } from '#server/http/origin.ts';
import { createKoa } from '#server/http/koa.ts';
import { page } from '#server/http/page.ts';
import { problemResponses } from '#server/http/problems.ts';
import { requireSingleHeaders } from '#server/http/singleHeaders.ts';
import { security } from '#server/http/security.ts';
import { createRates } from '#server/http/rateLimits.ts';
import { isOfPrograms } from '#server/programs/address.ts';
import type { ApiDeps } from './api/routes.ts';
import type { Rate } from './http/tokenBucket.ts';
import type { OwnCommands } from './http/ownCommands.ts';
import { createRoutes } from '#server/api/routes.ts';

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

const everybody: Middleware = (ctx, next) => {
  identify(ctx, anybody);
  return next();
};

/** Builds the console's server: API, webhooks and page. It does not listen yet (see main.ts). */
export function createApp(deps: AppDeps): Koa {
  const { config, log, clock } = deps;
  const rates = createRates(config.rate, clock);
  const access =
    config.access && createAccess(config.access, { ...deps, ...(config.fetch && { fetch: config.fetch }) });
  const { routes, earlier, programs } = createRoutes(deps, rates, access);

  const app = createKoa(log, config.trustedProxies);
  app.use(identifyRequests(deps.newId, deps.onSpan !== undefined, isOfPrograms));
  app.use(chunkedResponse);
  if (deps.onSpan) app.use(traceRequests(deps.onSpan, clock));
  if (deps.metrics) app.use(measureRequests(deps.metrics, clock));
  if (log.isLevelEnabled('info')) app.use(requestLog(log, clock));
  // Where users share the console, who has done what is always logged.
  app.use(access ? writeLog(always(log), access.subjectOf) : writeLog(log));
  app.use(problemResponses(log));
  app.use(security(config.upstream, config.access, isOfPrograms));
  app.use(programs);
  app.use(requireSingleHeaders);
  app.use(access ? access.recognise : everybody);
  app.use(earlier);
  app.use(requestLimits(rates));
  app.use(hostCheck(config.allowedHosts));
  app.use(originCheck({ except: notificationsPath }));
  app.use(jsonOnly);
  if (access) app.use(access.routes).use(access.confirm);
  app.use(body);
  app.use(routes);
  app.use(page(config.pageFolder, config.upstream.environment, config.commands));
  return app;
}
