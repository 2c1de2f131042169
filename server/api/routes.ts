import type { Context } from 'koa';
import { calls } from '#contract/calls.ts';
import { sandboxHomePath } from '#contract/faults.ts';
import type { CallName } from '#contract/calls.ts';
import type { RecordedApplication } from '#server/sandbox/recorded.ts';
import type { Route } from '#server/http/routes.ts';
import { loginReturnPath, notificationsPath } from '#server/http/paths.ts';
import type { AccessConfig } from '#server/auth/config.ts';
import type { createAccess } from '#server/auth/signIn.ts';
import type { RecordEvents } from '#server/companies/recordEvents.ts';
import type { ObservedCalls } from '#server/programs/observedCalls.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { Failure } from '#server/failure.ts';
import { withNotes } from '#server/payments/notes.ts';
import { programProxy } from '#server/programs/proxy.ts';
import { createProgramTokens, type ProgramTokens } from '#server/programs/tokens.ts';
import type { Rates } from '#server/http/rateLimits.ts';
import { companyOfWebhook, receiveWebhooks } from '#server/webhooks/receive.ts';
import { userOf } from '#server/http/user.ts';
import { batchHandlers } from './batch.ts';
import { createContexts, type ContextDeps } from './contexts.ts';
import { eventsRoute } from './events.ts';
import { answerCall } from './answerCall.ts';
import { createCaller, type CarryOut } from './call.ts';
import { createJournal } from '#server/writes/journal.ts';
import { descriptionHandlers } from './description.ts';
import { factsHandlers } from './facts.ts';
import { createGaugeReader } from '#server/ops/gaugeValues.ts';
import { createReadiness, healthRoutes } from '#server/ops/readiness.ts';
import { labHandlers } from './lab.ts';
import { referenceDataHandlers } from './referenceData.ts';
import { messageHandlers } from './messages.ts';
import { framingHandlers } from './framing.ts';
import { onboardingHandlers, withSigningKey } from './onboarding.ts';
import { openApi } from './openapi.ts';
import { partyHandlers } from './party.ts';
import { programHandlers } from './programs.ts';
import { paymentHandlers } from './payment.ts';
import type { Handlers } from './handlers.ts';
import { settingsHandlers } from './settings.ts';
import { situationHandlers } from './situation.ts';
import { subscriptionHandlers } from './subscription.ts';
import { timelineHandlers, timelineRoutes } from './timeline.ts';

/**
 * Makes the handlers of all calls of the contract, once at the start: contract/calls.ts has their methods and paths,
 * contract/shapes.ts their shapes.
 */
function createHandlers(
  contextIn: (workspace: string, named: string | undefined) => Promise<CompanyContext>,
  carryOut: CarryOut,
  tokens: ProgramTokens,
  recordsOf: ApiDeps['recordsOf'],
  verified: string | undefined,
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
    ...programHandlers(tokens, recordsOf, verified),
    ...situationHandlers((name) => handlers[name], contextIn),
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
    /** The data folder in which verifications are told of; absent if the console shows none. */
    verified?: string;
  };
  recordEvents: RecordEvents;
  /** The embedded sandbox's reports on forwarded calls; absent for any other service. */
  observedCalls?: ObservedCalls;
  /** What the embedded sandbox knows of a workspace's programs; absent for any other service. */
  recordsOf?: (workspace: string) => Promise<RecordedApplication>;
}

/** What answers the console's own requests, and those of programs. */
export interface Routes {
  routes: Route[];
  /** Answers the calls of programs, which send a token instead of a session. */
  programs: (ctx: Context) => Promise<void>;
  /** Opens the company that a request names. Rejects with `company-unknown` if there is none. */
  companyOf: (ctx: Context) => Promise<CompanyContext>;
}

/** Makes the routes of the console. `access` is absent if nobody signs in. */
export function createRoutes(
  { storage, recordEvents, timelines, observedCalls, recordsOf, ...shared }: ApiDeps,
  rates: Rates,
  access?: ReturnType<typeof createAccess>,
): Routes {
  const tokens = createProgramTokens({ storage, ...shared });
  const { contextAt, contextIn, companyOf, upstreamOf } = createContexts({ storage, timelines, ...shared });
  const verified = access ? undefined : shared.config.verified;
  const { clock, metrics } = shared;
  const carryOut = createCaller(createJournal(storage, metrics?.claim), (name) => handlers[name], {
    createOrganisation: withSigningKey,
    createBatch: (context, { body }, answer) => withNotes(context, body, answer),
  });
  const handlers = createHandlers(contextIn, carryOut, tokens, recordsOf, verified);
  const readiness = createReadiness({ storage, askSignIn: access?.askProvider, ...shared });
  metrics?.observe(createGaugeReader({ storage, readiness, countSessions: access?.countSessions }));

  // Made on demand, because making it takes a tenth of the start.
  let description: unknown;
  const describe = (ctx: Context) => {
    description ??= openApi();
    ctx.body = description;
  };
  // Shows the sandbox's credentials to their owner; no other page may send a user there.
  const openSandbox = (ctx: Context) => {
    const { lab } = upstreamOf(userOf(ctx).workspace);
    if (!lab) throw new Failure('not-found', 'This console does not use the sandbox.');
    ctx.set('Cache-Control', 'no-store');
    ctx.redirect(lab.home(clock.now()));
  };
  const takeWebhook = receiveWebhooks({ ...shared, timelines }, async (webhook, sender) => {
    const { workspace, companyKey } = await companyOfWebhook(storage, webhook, sender);
    return contextAt(workspace, companyKey);
  });

  const routes: Route[] = [
    // The keys of a const object.
    ...(Object.keys(calls) as CallName[]).map((name): Route => ({
      name,
      method: calls[name].method,
      path: calls[name].path.replace(/\{(\w+)\}/g, ':$1'),
      answer: async (ctx) => answerCall(ctx, name, await companyOf(ctx), carryOut),
    })),
    { method: 'GET', path: '/api/openapi.json', answer: describe },
    { method: 'GET', path: sandboxHomePath, answer: openSandbox },
    // The browser keeps the URL's fragment with the token and passes it to the target page, which reads it.
    { method: 'GET', path: loginReturnPath, answer: (ctx) => ctx.redirect('/jwtredirect.html') },
    { method: 'POST', path: notificationsPath, answer: takeWebhook },
    ...timelineRoutes(companyOf),
    eventsRoute({ recordEvents, timelines, ...shared }),
    ...healthRoutes(readiness),
    ...(access?.routes ?? []),
  ];
  const programs = programProxy({
    ...shared,
    storage,
    tokens,
    rates,
    open: (workspace) => ({
      timeline: timelines.of(workspace),
      config: { ...shared.config, upstream: upstreamOf(workspace) },
    }),
    ...(observedCalls && { observedCalls }),
    ...(access && { ownerStateOf: access.ownerStateOf }),
  });
  return { routes, programs, companyOf };
}
