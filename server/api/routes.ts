import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { LRUCache } from 'lru-cache';
import { calls } from '#contract/calls.ts';
import { labNews, sandboxHomePath } from '#contract/lab.ts';
import type { CallName } from '#contract/calls.ts';
import type { RecordedApplication } from '#server/sandbox/recorded.ts';
import type { Service, Upstream } from '#server/upstream/client.ts';
import { loginReturnPath, notificationsPath } from '#server/http/paths.ts';
import type { UpstreamConfig, Workspaces } from '#server/upstream/config.ts';
import type { AccessConfig } from '#server/auth/config.ts';
import type { RecordEvents } from '#server/companies/recordEvents.ts';
import type { Metrics } from '#server/ops/metrics.ts';
import type { ObservedCalls } from '#server/programs/observedCalls.ts';
import type { Storage } from '#server/storage/open.ts';
import type { Timelines } from '#server/timeline/timeline.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { Failure } from '#server/failure.ts';
import { createAttemptIndex } from '#server/payments/attempts.ts';
import { isOfPrograms } from '#server/programs/address.ts';
import { programProxy } from '#server/programs/proxy.ts';
import { createProgramTokens } from '#server/programs/tokens.ts';
import { createIdempotency } from '#server/calls/idempotency.ts';
import { createRetryWindows } from '#server/calls/retryWindow.ts';
import type { Rates } from '#server/http/rateLimits.ts';
import { ownerOf, receiveWebhooks } from '#server/webhooks/receive.ts';
import { userOf } from '#server/http/user.ts';
import { scopesIn, knownScope, scopeOf } from '#server/companies/companyList.ts';
import { storeAt } from '#server/companies/companyStore.ts';
import { recordEventsTopic } from '#server/storage/records.ts';
import { replayRoutes } from './replay.ts';
import { batchRoutes } from './batch.ts';
import { registerEvents } from './events.ts';
import { nameEarlierRequest } from './earlierRequest.ts';
import { factsRoutes } from './facts.ts';
import { healthRoutes } from '#server/ops/healthRoutes.ts';
import { labRoutes } from './lab.ts';
import { referenceDataRoutes } from './referenceData.ts';
import { messageRoutes } from './messages.ts';
import { framingRoutes } from './framing.ts';
import { onboardingRoutes } from './onboarding.ts';
import { openApi } from './openapi.ts';
import { partyRoutes } from './party.ts';
import { programRoutes } from './programs.ts';
import { paymentRoutes } from './payment.ts';
import { route } from './route.ts';
import type { Handlers, Workspace } from './handlers.ts';
import { settingsRoutes } from './settings.ts';
import { subscriptionRoutes } from './subscription.ts';
import { registerTimeline, timelineRoutes } from './timeline.ts';

/**
 * Handlers of all calls of the contract: contract/calls.ts has their methods and paths, contract/shapes.ts their
 * shapes.
 */
const handlersOf = (
  deps: CompanyContext,
  at: (scope: string) => Promise<Workspace>,
  labTold: () => void,
  attempts = createAttemptIndex(deps),
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
  ...referenceDataRoutes(deps),
  ...framingRoutes(deps),
  ...timelineRoutes(deps),
  ...replayRoutes(deps, at),
  ...labRoutes(deps, labTold),
});

/** Maximum number of workspaces whose tokens stay in memory. */
const mostClients = 1000;

/** Dependencies of the API. */
export interface ApiDeps extends Pick<CompanyContext, 'clock' | 'newId' | 'log'> {
  config: {
    upstream: UpstreamConfig;
    /** If present, each workspace has its own configuration; `upstream` is then that of the default workspace. */
    workspaces?: Workspaces;
    allowedHosts: readonly string[];
    /** If absent, there is no sign-in. */
    access?: AccessConfig;
    /** Maximum number of open event streams; the default if absent. */
    streams?: number;
  };
  storage: Storage;
  recordEvents: RecordEvents;
  timelines: Timelines;
  upstream: Service;
  /** The embedded sandbox's reports on forwarded calls; absent for any other service. */
  observedCalls?: ObservedCalls;
  /** What the embedded sandbox knows of a workspace's programs; absent for any other service. */
  recordsOf?: (workspace: string) => Promise<RecordedApplication>;
  /** Absent if nothing is measured. */
  metrics?: Metrics;
}

interface Routes {
  routes: Middleware;
  /** Adds to failures what is known of earlier requests; precedes everything that may refuse a repeat. */
  earlier: Middleware;
  /** Handles the calls of programs, which send a token instead of a session. */
  programs: Middleware;
}

/** The routes of the console. */
export function createRoutes(
  { storage, recordEvents, timelines, observedCalls, recordsOf, ...shared }: ApiDeps,
  rates: Rates,
): Routes {
  const router = new Router();
  const retryWindow = createRetryWindows(shared.clock);
  const idempotency = createIdempotency(storage.idempotencyKeys, shared.clock, shared.metrics?.claim);
  const tokens = createProgramTokens({ storage, ...shared });
  const { config: common } = shared;
  const configOf = (workspace: string) => ({
    ...common,
    upstream: common.workspaces?.upstreamOf(workspace) ?? common.upstream,
  });

  /** The service's client of each workspace, which holds its tokens and limits its concurrent requests. */
  const clients = new LRUCache<string, Upstream>({ max: mostClients });
  function clientOf(workspace: string, config: UpstreamConfig): Upstream {
    const client = clients.get(workspace) ?? shared.upstream.of(config);
    clients.set(workspace, client);
    return client;
  }

  /** Returns what the calls of a company need, and their handlers. */
  function companyAt(workspace: string, scope: string): Workspace {
    const config = configOf(workspace);
    const upstream = clientOf(workspace, config.upstream);
    const timeline = timelines.of(workspace);
    const store = storeAt(storage, workspace, scope);
    const deps = { ...shared, config, upstream, scope, store, idempotency, retryWindow, timeline };
    const at = async (named: string) => companyAt(workspace, await knownScope(named, store.scopes));
    const labTold = () => void storage.publish(recordEventsTopic(workspace), labNews);
    return {
      ...deps,
      workspace,
      handlers: { ...handlersOf(deps, at, labTold), ...programRoutes(deps, workspace, tokens, recordsOf) },
    };
  }
  const companyOf = async (ctx: Context) => {
    const { workspace } = userOf(ctx);
    return companyAt(workspace, await scopeOf(ctx, scopesIn(storage, workspace)));
  };

  // The keys of a const object.
  for (const name of Object.keys(calls) as CallName[]) {
    const { method, path } = calls[name];
    router.register(path.replace(/\{(\w+)\}/g, ':$1'), [method], route(name, companyOf), { name });
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
    receiveWebhooks({ ...shared, timelines }, async (webhook, sender) => {
      const { workspace, company } = await ownerOf(storage, webhook, sender);
      return companyAt(workspace, company);
    }),
  );
  registerTimeline(router, companyOf);
  registerEvents(router, { recordEvents, timelines, ...shared });
  router.use(healthRoutes({ storage, ...shared }).routes());
  const proxy = programProxy({
    ...shared,
    ...{
      storage,
      tokens,
      rates,
      open: (workspace) => ({ timeline: timelines.of(workspace), config: configOf(workspace) }),
    },
    ...(observedCalls && { observedCalls }),
  });
  // Koa types what a middleware returns as any, and the router a middleware by a context of its own.
  const programs: Middleware = (ctx, next) =>
    isOfPrograms(ctx.path) ? (proxy(ctx, next) as Promise<unknown>) : next();
  const earlier = nameEarlierRequest({
    ...{ companyOf, rates },
    writeOf({ path, method }) {
      const name = router.match(path, method).pathAndMethod.find((each) => each.name)?.name as CallName | undefined; // as registered
      return name !== undefined && 'write' in calls[name] ? name : undefined;
    },
  });
  return { routes: router.routes() as Middleware, earlier, programs };
}
