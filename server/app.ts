import Koa from 'koa';
import type { Middleware } from 'koa';
import { notificationsPath } from './upstream/config.ts';
import { createAccess } from './access/access.ts';
import { anybody, identify } from './access/user.ts';
import type { AppDeps } from './deps.ts';
import { hasLeft } from './http/left.ts';
import { body } from './middleware/body.ts';
import { measured } from './middleware/measured.ts';
import { limits } from './middleware/limits.ts';
import { inPieces } from './middleware/pieces.ts';
import { hostCheck, jsonOnly, originCheck } from './middleware/origin.ts';
import { page } from './middleware/page.ts';
import { problems } from './middleware/problems.ts';
import { requestLog } from './middleware/requestLog.ts';
import { security } from './middleware/security.ts';
import { trustProxies } from './http/proxies.ts';
import { createRates } from './http/rates.ts';
import { createRoutes } from './routes/index.ts';

const everybody: Middleware = (ctx, next) => {
  identify(ctx, anybody);
  return next();
};

/** Builds the console's server: API, webhooks and page. It does not listen yet (see main.ts). */
export function createApp(deps: AppDeps): Koa {
  const { config, log, clock } = deps;
  const rates = createRates(config.rate, clock);
  const { routes, programs } = createRoutes(deps, rates);
  const access = config.access && createAccess(config.access, deps);

  const app = new Koa();
  trustProxies(app, config.trustedProxies);
  app.on('error', (error: unknown) => {
    log[hasLeft(error) ? 'debug' : 'warn']({ err: error }, 'an answer could not be sent');
  });
  app.use(inPieces);
  if (deps.metrics) app.use(measured(deps.metrics, clock));
  if (log.isLevelEnabled('info')) app.use(requestLog(log, clock));
  app.use(security(config.upstream, config.access));
  app.use(problems(log));
  app.use(programs);
  app.use(access ? access.recognise : everybody);
  app.use(limits(rates));
  app.use(hostCheck(config.allowedHosts));
  app.use(originCheck(notificationsPath));
  app.use(jsonOnly);
  if (access) app.use(access.routes).use(access.confirm);
  app.use(body);
  app.use(routes);
  app.use(page(config.pageFolder, config.upstream.environment));
  return app;
}
