import Router from '@koa/router';
import type { Middleware } from 'koa';
import { calls } from '#contract/calls.ts';
import { sandboxHomePath } from '#contract/lab.ts';
import type { CallName } from '#contract/calls.ts';
import type { RecordedApplication } from '#server/sandbox/recorded.ts';
import { routesOf } from '#server/http/otherMethods.ts';
import { loginReturnPath, notificationsPath } from '#server/http/paths.ts';
import type { AccessConfig } from '#server/auth/config.ts';
import type { OwnerStateOf } from '#server/auth/owners.ts';
import type { RecordEvents } from '#server/companies/recordEvents.ts';
import type { ObservedCalls } from '#server/programs/observedCalls.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { Failure } from '#server/failure.ts';
import { isOfPrograms } from '#server/programs/address.ts';
import { programProxy } from '#server/programs/proxy.ts';
import { createProgramTokens, type ProgramTokens } from '#server/programs/tokens.ts';
import { createVerdicts, type Verdicts, type VerifyPlace } from '#server/programs/verdicts.ts';
import type { Rates } from '#server/http/rateLimits.ts';
import { companyOfWebhook, receiveWebhooks } from '#server/webhooks/receive.ts';
import { userOf } from '#server/http/user.ts';
import { batchHandlers } from './batch.ts';
import { createContexts, type ContextDeps } from './contexts.ts';
import { registerEvents } from './events.ts';
import { createCaller, type CallHandler } from './call.ts';
import { nameEarlierRequest } from './earlierRequest.ts';
import { createJournal } from '#server/writes/journal.ts';
import { createRetryWindows } from '#server/calls/retryWindow.ts';
import { descriptionHandlers } from './description.ts';
import { factsHandlers } from './facts.ts';
import { createGaugeReader } from '#server/ops/gaugeValues.ts';
import { createReadiness, healthRoutes } from '#server/ops/readiness.ts';
import { labHandlers } from './lab.ts';
import { referenceDataHandlers } from './referenceData.ts';
import { messageHandlers } from './messages.ts';
import { framingHandlers } from './framing.ts';
import { onboardingHandlers } from './onboarding.ts';
import { openApi } from './openapi.ts';
import { partyHandlers } from './party.ts';
import { programHandlers } from './programs.ts';
import { paymentHandlers } from './payment.ts';
import { replayHandlers } from './replay.ts';
import { route } from './route.ts';
import type { Handlers } from './handlers.ts';
import { settingsHandlers } from './settings.ts';
import { situationHandlers } from './situation.ts';
import { subscriptionHandlers } from './subscription.ts';
import { registerTimeline, timelineHandlers } from './timeline.ts';

/**
 * Makes the handlers of all calls of the contract, once at the start: contract/calls.ts has their methods and paths,
 * contract/shapes.ts their shapes.
 */
function createHandlers(
  contextIn: (workspace: string, named: string) => Promise<CompanyContext>,
  callHandler: CallHandler,
  tokens: ProgramTokens,
  recordsOf: ApiDeps['recordsOf'],
  verdicts: Verdicts | undefined,
): Handlers {
  const handlers: Handlers = {
    signOut: async (_context, { user }) => ({ location: await user.signOut() }),
    ...factsHandlers,
    ...settingsHandlers,
    ...onboardingHandlers,
    ...subscriptionHandlers,
    ...messageHandlers,
    ...partyHandlers,
    ...paymentHandlers,
    ...batchHandlers,
    ...referenceDataHandlers,
    ...framingHandlers,
    ...timelineHandlers,
    ...descriptionHandlers,
    ...labHandlers,
    ...programHandlers(tokens, recordsOf, verdicts),
    ...situationHandlers((name) => handlers[name], contextIn),
    ...replayHandlers(callHandler, contextIn),
  };
  return handlers;
}

/** Dependencies of the API. */
export interface ApiDeps extends ContextDeps {
  config: ContextDeps['config'] & {
    allowedHosts: readonly string[];
    /** If absent, there is no sign-in. */
    access?: AccessConfig;
    /** Maximum number of open event streams; the default if absent. */
    streams?: number;
    /** Where verifications are told of; absent if the console shows none. */
    verify?: VerifyPlace;
  };
  recordEvents: RecordEvents;
  /** The embedded sandbox's reports on forwarded calls; absent for any other service. */
  observedCalls?: ObservedCalls;
  /** What the embedded sandbox knows of a workspace's programs; absent for any other service. */
  recordsOf?: (workspace: string) => Promise<RecordedApplication>;
}

interface Routes {
  routes: Middleware;
  /** Adds to failures what is known of earlier requests; precedes everything that may refuse a repeat. */
  earlier: Middleware;
  /** Handles the calls of programs, which send a token instead of a session. */
  programs: Middleware;
}

/** Makes the routes of the console. `access` is absent if nobody signs in. */
export function createRoutes(
  { storage, recordEvents, timelines, observedCalls, recordsOf, ...shared }: ApiDeps,
  rates: Rates,
  access?: { ownerStateOf: OwnerStateOf; askProvider: () => Promise<void>; countSessions: () => Promise<number> },
): Routes {
  const router = new Router();
  const tokens = createProgramTokens({ storage, ...shared });
  const { contextAt, contextIn, contextOf, upstreamOf } = createContexts({ storage, timelines, ...shared });
  const { verify } = shared.config;
  const verdicts = verify && !access ? createVerdicts(verify) : undefined;
  const { clock, metrics } = shared;
  const journal = createJournal(storage, { clock, retryWindow: createRetryWindows(clock), count: metrics?.claim });
  const callHandler = createCaller(journal, (name) => handlers[name]);
  const handlers = createHandlers(contextIn, callHandler, tokens, recordsOf, verdicts);

  // The keys of a const object.
  for (const name of Object.keys(calls) as CallName[]) {
    const { method, path } = calls[name];
    router.register(path.replace(/\{(\w+)\}/g, ':$1'), [method], route(name, callHandler, contextOf), { name });
  }

  // Made on demand, because making it takes a tenth of the start.
  let description: unknown;
  router.get('/api/openapi.json', (ctx) => {
    description ??= openApi();
    ctx.body = description;
  });
  // Shows the sandbox's credentials to their owner; no other page may send a user there.
  router.get(sandboxHomePath, (ctx) => {
    const { lab } = upstreamOf(userOf(ctx).workspace);
    if (!lab) throw new Failure('not-found', 'This console does not use the sandbox.');
    ctx.set('Cache-Control', 'no-store');
    ctx.redirect(lab.home(shared.clock.now()));
  });
  // The browser keeps the URL's fragment with the token and passes it to the target page, which reads it.
  router.get(loginReturnPath, (ctx) => ctx.redirect('/jwtredirect.html'));
  router.post(
    notificationsPath,
    receiveWebhooks({ ...shared, timelines }, async (webhook, sender) => {
      const { workspace, companyKey } = await companyOfWebhook(storage, webhook, sender);
      return contextAt(workspace, companyKey);
    }),
  );
  registerTimeline(router, contextOf);
  registerEvents(router, { recordEvents, timelines, ...shared });
  const readiness = createReadiness({ storage, askSignIn: access?.askProvider, ...shared });
  router.use(healthRoutes(readiness).routes());
  shared.metrics?.observe(createGaugeReader({ storage, readiness, countSessions: access?.countSessions }));
  const proxy = programProxy({
    ...shared,
    ...{
      storage,
      tokens,
      rates,
      open: (workspace) => ({
        timeline: timelines.of(workspace),
        config: { ...shared.config, upstream: upstreamOf(workspace) },
      }),
    },
    ...(observedCalls && { observedCalls }),
    ...(access && { ownerStateOf: access.ownerStateOf }),
  });
  // Koa types what a middleware returns as any.
  const programs: Middleware = (ctx, next) =>
    isOfPrograms(ctx.path) ? (proxy(ctx, next) as Promise<unknown>) : next();
  const earlier = nameEarlierRequest({
    ...{ contextOf, rates },
    writeOf({ path, method }) {
      const name = router.match(path, method).pathAndMethod.find((each) => each.name)?.name as CallName | undefined; // as registered
      return name !== undefined && 'write' in calls[name] ? name : undefined;
    },
  });
  return { routes: routesOf(router), earlier, programs };
}
