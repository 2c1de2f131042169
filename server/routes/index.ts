import Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import type { Context, Middleware } from 'koa';
import { calls } from '#contract/calls.ts';
import { labNews, sandboxHomePath } from '#contract/lab.ts';
import type { CallName } from '#contract/calls.ts';
import { loginReturnPath, notificationsPath } from '#server/upstream/config.ts';
import type { AppDeps, Deps } from '#server/deps.ts';
import { Failure } from '#server/failure.ts';
import { createInUse } from '#server/inUse.ts';
import { createAttempts } from '#server/payments/attempts.ts';
import { isOfPrograms } from '#server/programs/address.ts';
import { programProxy } from '#server/programs/proxy.ts';
import { createProgramTokens } from '#server/programs/tokens.ts';
import { createOnce, createRepeats } from '#server/writes/once.ts';
import type { Rates } from '#server/http/rates.ts';
import { ownerOf, receiveWebhooks } from '#server/webhooks/receive.ts';
import { userOf } from '#server/access/user.ts';
import { knownScope, perName, scopeOf } from '#server/workspace/workspaces.ts';
import { againRoutes } from './again.ts';
import { batchRoutes } from './batch.ts';
import { registerEvents } from './events.ts';
import { factsRoutes } from './facts.ts';
import { healthRoutes } from './health.ts';
import { labRoutes } from './lab.ts';
import { lookupRoutes } from './lookup.ts';
import { messageRoutes } from './messages.ts';
import { onboardingRoutes } from './onboarding.ts';
import { openApi } from './openapi.ts';
import { partyRoutes } from './party.ts';
import { programRoutes } from './programs.ts';
import { paymentRoutes } from './payment.ts';
import { guarded } from './route.ts';
import type { Handlers, Workspace } from './route.ts';
import { settingsRoutes } from './settings.ts';
import { subscriptionRoutes } from './subscription.ts';
import { registerTimeline, timelineRoutes } from './timeline.ts';

/**
 * Handlers of all calls of the contract: contract/calls.ts has their methods and paths, contract/shapes.ts their
 * shapes.
 */
const handlersOf = (
  deps: Deps,
  at: (scope: string) => Promise<Workspace>,
  labTold: () => void,
  attempts = createAttempts(deps),
): Omit<Handlers, keyof ReturnType<typeof programRoutes>> => ({
  signOut: async ({ user }) => ({ location: await user.signOut() }),
  ...factsRoutes(deps),
  ...settingsRoutes(deps),
  ...onboardingRoutes(deps),
  ...subscriptionRoutes(deps),
  ...messageRoutes(deps),
  ...partyRoutes(deps),
  ...paymentRoutes(deps, attempts),
  ...batchRoutes(deps, attempts),
  ...lookupRoutes(deps),
  ...timelineRoutes(deps),
  ...againRoutes(deps, at),
  ...labRoutes(deps, labTold),
});

/** Maximum number of unused workspaces in memory, and their life (ms). */
const inMemory = { most: 100, life: 10 * 60_000 } as const;

interface Routes {
  routes: Middleware;
  /** Handles the calls of programs, which send a token instead of a session. */
  programs: Middleware;
}

/** The routes of the console. */
export function createRoutes({ stores, timelines, passed, ...shared }: AppDeps, rates: Rates): Routes {
  const router = new Router();
  /** Handlers by method and path for paths without parameters: the router would try its patterns one by one. */
  const direct = new Map<string, Middleware>();
  const repeatOf = createRepeats(shared.clock);
  const tokens = createProgramTokens({ stores, ...shared });
  const { config: common } = shared;
  const configOf = (workspace: string) => ({
    ...common,
    upstream: common.workspaces?.upstreamOf(workspace) ?? common.upstream,
  });
  const open = (workspace: string) => {
    const { claims, scopes } = stores.of(workspace);
    const once = createOnce(claims, shared.clock, shared.metrics?.claim);
    const config = configOf(workspace);
    const upstream = shared.upstream.of(config.upstream);
    const timeline = timelines.of(workspace);
    const labTold = () => stores.news.tell({ workspace, scope: '' }, labNews);
    const at: (scope: string) => Workspace = perName((scope) => {
      const deps = { ...shared, config, upstream, scope, store: stores.of(workspace, scope), once, repeatOf, timeline };
      return {
        ...deps,
        workspace,
        handlers: {
          ...handlersOf(deps, async (named) => at(await knownScope(named, scopes)), labTold),
          ...programRoutes(deps, workspace, tokens),
        },
      };
    });
    return { scopes, at, timeline, config };
  };
  const opened = createInUse({
    make: open,
    ...inMemory,
    clock: shared.clock,
    mayGo: (workspace) => timelines.isIdle(workspace),
    gone: (workspace) => timelines.letGo(workspace),
  });
  const workspaceOf = async (ctx: Context) => {
    const { scopes, at } = opened.of(ctx, userOf(ctx).workspace);
    return at(await scopeOf(ctx, scopes));
  };

  router.use(opened.release);
  for (const name of Object.keys(calls) as CallName[]) {
    const { method, path } = calls[name];
    const handle = guarded(name, workspaceOf);
    router.register(path.replace(/\{(\w+)\}/g, ':$1'), [method], handle);
    if (!path.includes('{')) direct.set(`${method} ${path}`, handle);
  }

  // Made on demand, because making it takes a tenth of the start.
  let description: unknown;
  router.get('/api/openapi.json', (ctx) => {
    description ??= openApi();
    ctx.body = description;
  });
  // Shows the sandbox's credentials to their owner; no other page may send a user there.
  router.get(sandboxHomePath, (ctx) => {
    const { lab } = configOf(userOf(ctx).workspace).upstream;
    if (!lab) throw new Failure('not-found', 'This console does not use the sandbox.');
    ctx.set('Cache-Control', 'no-store');
    ctx.redirect(lab.home(shared.clock.now()));
  });
  // The browser keeps the URL's fragment with the token and passes it to the target page, which reads it.
  router.get(loginReturnPath, (ctx) => ctx.redirect('/jwtredirect.html'));
  router.post(
    notificationsPath,
    receiveWebhooks({ ...shared, timelines }, async (webhook, sender, ctx) => {
      const { workspace, scope } = await ownerOf(stores, webhook, sender);
      return opened.of(ctx, workspace).at(scope);
    }),
  );
  registerTimeline(router, workspaceOf, { stores });
  registerEvents(router, { stores, timelines, ...shared });
  router.use(healthRoutes({ stores, timelines, ...shared }).routes());
  const others = router.routes();
  const proxy = programProxy({
    ...shared,
    ...{ stores, tokens, rates, open: opened.of },
    ...(passed && { passed }),
  });
  const programs: Middleware = (ctx, next) =>
    isOfPrograms(ctx.path) ? opened.release(ctx, () => proxy(ctx, next) as Promise<unknown>) : next(); // typed as any
  const routes: Middleware = (ctx, next) => {
    const handle = direct.get(`${ctx.method} ${ctx.path}`);
    if (!handle) return others(ctx as RouterContext, next) as Promise<unknown>; // typed as any
    ctx['_matchedRoute'] = ctx.path;
    return opened.release(ctx, () => handle(ctx, next) as Promise<unknown>); // typed as any
  };
  return { routes, programs };
}
