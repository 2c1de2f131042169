import Router from '@koa/router';
import { calls } from '#contract/calls.ts';
import type { CallName } from '#contract/calls.ts';
import { notificationsPath } from '#server/upstream/config.ts';
import type { Deps } from '#server/deps.ts';
import { receiveWebhooks } from '#server/webhooks/receive.ts';
import { definitionRoutes } from './definitions.ts';
import { factsRoutes } from './facts.ts';
import { healthRoutes } from './health.ts';
import { messageRoutes } from './messages.ts';
import { networkRoutes } from './network.ts';
import { onboardingRoutes } from './onboarding.ts';
import { openApi } from './openapi.ts';
import { paymentRoutes } from './payments.ts';
import { guarded } from './route.ts';
import type { Handler, Handlers } from './route.ts';
import { settingsRoutes } from './settings.ts';
import { subscriptionRoutes } from './subscriptions.ts';

/** Every call of the contract: methods and paths are in contract/calls.ts, shapes in contract/shapes.ts. */
const handlersOf = (deps: Deps): Handlers => ({
  ...settingsRoutes(deps),
  ...factsRoutes(deps),
  ...definitionRoutes(deps),
  ...onboardingRoutes(deps),
  ...networkRoutes(deps),
  ...subscriptionRoutes(deps),
  ...messageRoutes(deps),
  ...paymentRoutes(deps),
});

export function createRouter(deps: Deps): Router {
  const router = new Router();
  const handlers = handlersOf(deps);

  const add = <C extends CallName>(name: C, handle: Handler<C>) => {
    const { method, path } = calls[name];
    router.register(path.replace(/\{(\w+)\}/g, ':$1'), [method], guarded(name, handle, deps));
  };
  for (const name of Object.keys(handlers) as CallName[]) add(name, handlers[name] as Handler<CallName>); // the same name's handler

  const description = openApi();
  router.get('/api/openapi.json', (ctx) => {
    ctx.body = description;
  });
  // The fragment with the token stays in the browser and follows to the page that takes it from there.
  router.get('/api/jwtredirect', (ctx) => ctx.redirect('/jwtredirect.html'));
  router.post(notificationsPath, receiveWebhooks(deps));
  router.use(healthRoutes(deps).routes());
  return router;
}
