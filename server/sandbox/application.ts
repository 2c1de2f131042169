import Router from '@koa/router';
import type { JWK } from 'jose';
import type Koa from 'koa';
import { createKoa } from '#server/http/koa.ts';
import { measureRequests } from '#server/http/observeRequests.ts';
import { meet } from '#server/http/guards.ts';
import { hostCheck, originCheck } from '#server/http/origin.ts';
import { requireSingleHeaders } from '#server/http/singleHeaders.ts';
import { header } from '#server/upstream/wire.ts';
import type { SandboxConfig } from './config.ts';
import { consentRoutes } from './consent/authorisePage.ts';
import { createConsents } from './consent/lifecycle.ts';
import type { Control } from './control.ts';
import { controlRoutes } from './controlRoutes.ts';
import type { SandboxCredentials } from './credentials.ts';
import { documentRoutes } from './documents.ts';
import { parseBody, readText } from './http/body.ts';
import { Problem } from './http/problem.ts';
import { serviceRoutes, type Handlers } from './http/serviceRoutes.ts';
import { rateLimit } from './http/rateLimit.ts';
import { createTurns, takeTurn, turnOf } from './http/turns.ts';
import { createCallFaults } from './faults/callFaults.ts';
import { magicCallFaults } from './faults/magicCalls.ts';
import { createMovableClock, type MovableClock } from './clock.ts';
import { catalogueWithFaults } from './faults/definitionFaults.ts';
import { createFaults } from './faults/faults.ts';
import { faultRoutes } from './faults/controlRoutes.ts';
import { lookupHandlers } from './lookup/handlers.ts';
import { authHandlers } from './onboarding/authService.ts';
import { createCallers } from './onboarding/callers.ts';
import { createSignatures } from './onboarding/signatures.ts';
import { identityRoutes } from './onboarding/identityProvider.ts';
import { networkHandlers } from './onboarding/network.ts';
import { createTokens } from './onboarding/tokens.ts';
import type { Settings } from './options.ts';
import { homeRoutes } from './pages/home.ts';
import { answerErrors } from '#server/http/errors.ts';
import { routesOf } from '#server/http/routes.ts';
import { problemSender } from './pages/problemResponse.ts';
import { messageHandlers } from './party/messages.ts';
import { createBatchLifecycle } from './payment/batchLifecycle.ts';
import { batchHandlers } from './payment/handlers.ts';
import { batchControlRoutes } from './payment/controlRoutes.ts';
import { transferRoutes } from './payment/transferRequest.ts';
import { publishAnswers } from './records/answered.ts';
import { isApi, notesOf } from './records/call.ts';
import { createDeliveries } from './records/deliveries.ts';
import type { Recorder } from './records/recorder.ts';
import { createIdempotency } from './store/idempotency.ts';
import { createJobs } from './store/jobs.ts';
import type { TenantStore } from './store/tenantStore.ts';
import { authoriseRoutes } from './subscription/authorisePage.ts';
import { createSubscriptionLifecycle } from './subscription/lifecycle.ts';
import { subscriptionHandlers } from './subscription/handlers.ts';
import { webhookControlRoutes } from './webhooks/controlRoutes.ts';
import { createWebhooks, type Webhooks } from './webhooks/sender.ts';

/** What an application keeps when it is replaced. */
export interface Tenant {
  credentials: SandboxCredentials;
  newId: () => string;
  /** Makes the interaction id of a call that names none. */
  newInteractionId: () => string;
  /** Records requests and the deliveries of webhooks. */
  recorder: Recorder;
  /** What tests can do besides. */
  control: Control;
}

interface Deps {
  /** With a seed, calls act one at a time, in the order in which they arrive. */
  settings: Pick<Settings, 'catalogue' | 'log' | 'machineClock' | 'metrics' | 'seed' | 'start' | 'transport'>;
  tenant: Tenant;
  config: SandboxConfig;
  /** The application's part of the store. */
  store: TenantStore;
  /** Signs the tokens of all applications. */
  key: JWK;
  /** Called to delete everything of the application, which then writes nothing more; a new one replaces it. */
  empty: () => Promise<void>;
  /** Called after each change of the fault lab's state. */
  labChanged: () => void;
  /** Returns the credentials of the application with this name. */
  credentialsFor: (name: string) => SandboxCredentials;
}

/** The service for one application. */
export interface Application {
  app: Koa;
  /** Reads the cached state and starts the jobs; call it again after another process may have changed the store. */
  start: () => Promise<void>;
  /** Closes the connections held by the fault lab, and waits for running jobs; the others resume later. */
  stop: () => Promise<void>;
  /** Whether the application is known to have no pending jobs. */
  isIdle: () => boolean;
  /** Whether no work is in progress, so that nothing happens until the clock advances. */
  isSettled: () => boolean;
  clock: MovableClock;
  /** Resolves with the time (steady, ms) at which the first job or paused call is due; undefined if there is none. */
  nextDue: () => Promise<number | undefined>;
  webhooks: Pick<Webhooks, 'send'>;
  /** Leaves webhooks and the faults of rules out, or has them happen again. */
  mute: (muted: boolean) => void;
}

/**
 * Creates the service for one application, in the wire protocol of the Payments Out Service (server/upstream/wire.ts).
 */
export function createApplication({
  settings,
  tenant,
  config,
  store,
  key,
  empty,
  labChanged,
  credentialsFor,
}: Deps): Application {
  const { log, machineClock, metrics, start: stoppedAt } = settings;
  const { credentials, newId, newInteractionId, recorder, control } = tenant;
  const clock = createMovableClock({ clock: machineClock, store, start: stoppedAt, everyDay: config.everyDay });
  // The timestamps of webhooks and the times of records too, which receivers compare with theirs.
  const recordClock = stoppedAt === undefined ? machineClock : clock;
  const jobs = createJobs(store, { clock, log });
  const faults = createFaults({ store, newId, changed: labChanged });
  const catalogue = catalogueWithFaults(settings.catalogue, faults);
  const tokens = createTokens({
    key,
    applicationId: credentials.applicationId,
    clock,
    isApart: stoppedAt !== undefined,
  });
  const checkSignature = createSignatures({ config, credentials, store });
  const callers = createCallers({ store, tokens, credentials, checkSignature });
  const deliveries = createDeliveries(store, recorder);

  /** Each area names what it takes of these. */
  const services = {
    config,
    credentials,
    catalogue,
    clock,
    machineClock,
    newId,
    log,
    metrics,
    store,
    jobs,
    faults,
    tokens,
    callers,
    deliveries,
  };
  const webhooks = createWebhooks({ ...services, recordClock, transport: settings.transport });
  const subscriptions = createSubscriptionLifecycle({ ...services, webhooks });
  const consents = createConsents(services);
  const batches = createBatchLifecycle({ ...services, webhooks, consents });

  const sendProblem = problemSender(log);
  const problems = answerErrors(sendProblem, ({ method, path }) => new Problem(404, `There is no ${method} ${path}`));
  const callFaults = createCallFaults({ faults, clock, problems });
  clock.onChange(async () => {
    await callFaults.timePassed();
    await jobs.start();
    labChanged();
  });

  let ready: Promise<void> | undefined;
  /** Whether the jobs have been read. */
  let isRead = false;
  async function load(): Promise<void> {
    await clock.load();
    await faults.load();
    await jobs.start();
    isRead = true;
  }
  /** After a failure, the next call starts over. */
  function start(): Promise<void> {
    ready = load().catch((error: unknown) => {
      ready = undefined;
      throw error;
    });
    return ready;
  }
  async function stop(): Promise<void> {
    callFaults.release();
    await ready?.catch(() => undefined);
    await jobs.stop();
  }
  async function reset(): Promise<void> {
    await empty();
    labChanged();
  }

  const handlers: Handlers = {
    ...authHandlers(services),
    userInfo: ({ caller }) => caller,
    ...networkHandlers(services),
    ...lookupHandlers(services),
    ...subscriptionHandlers({ ...services, subscriptions }),
    ...messageHandlers({ ...services, webhooks, subscriptions, consents }),
    ...batchHandlers({ ...services, subscriptions, batches }),
  };
  const router = new Router();
  for (const area of [
    serviceRoutes(handlers, callers, createIdempotency(store, clock)),
    identityRoutes(services),
    authoriseRoutes({ ...services, lifecycle: subscriptions }),
    consentRoutes({ ...services, consents }),
    transferRoutes(services),
    homeRoutes({ config, credentials, recorder, clock: recordClock, reset }),
    documentRoutes(config),
    faultRoutes({ ...services, releaseCalls: callFaults.release }),
    batchControlRoutes({ ...services, lifecycle: batches }),
    controlRoutes({ ...services, control, credentialsFor, recorder, webhooks }),
    webhookControlRoutes({ ...services, webhooks, clock: recordClock, changed: labChanged }),
  ])
    router.use(area.routes());

  const app = createKoa(log, config.trustedProxies);
  const turns = createTurns(machineClock);
  // First, so that every answer has it, whatever refuses the call; and its turn is that of its arrival.
  app.use(async (ctx, next) => {
    ctx.set(header.interaction, ctx.get(header.interaction) || newInteractionId());
    const turn = settings.seed !== undefined && isApi(ctx.path) ? turns.arrive() : undefined;
    if (turn) takeTurn(ctx, turn);
    try {
      await next();
    } finally {
      turn?.end();
    }
  });
  if (metrics) app.use(measureRequests(metrics, machineClock));
  app.use(recorder.record);
  app.use(publishAnswers(() => faults.list().some(({ on }) => on === 'definition')));
  app.use(async (ctx, next) => {
    /** Callers see by it when the sandbox forgets their idempotency keys. */
    const date = () => {
      if (!ctx.headerSent) ctx.set('Date', new Date(clock.now()).toUTCString());
    };
    try {
      await (ready ?? start());
      date();
      await next();
      date(); // the call may have moved the clock
    } catch (error) {
      sendProblem(ctx, error); // errors of the start and of the rules' faults, which run before `problems`
    }
  });
  const guards = [
    hostCheck([new URL(config.publicUrl).hostname, ...config.allowedHosts], 'sandbox'),
    originCheck({ application: 'sandbox', publicUrl: config.publicUrl }),
  ];
  app.use(async (ctx, next) => {
    await meet(guards, ctx);
    await next();
  });
  app.use(rateLimit(config.rate, machineClock));
  // A call that is refused for its headers, or by a fault, is recorded with its body.
  app.use(readText);
  app.use(async (ctx, next) => {
    await turnOf(ctx)?.begin();
    await requireSingleHeaders(ctx);
    await next();
  });
  app.use(callFaults.rules);
  app.use(problems);
  app.use(parseBody);
  app.use(magicCallFaults(store, callFaults));
  app.use(async (ctx, next) => {
    await next();
    notesOf(ctx).isDone = ctx.status < 300;
  });
  app.use(routesOf(router, () => new Problem(405, 'This address does not accept this method')));
  return {
    app,
    start,
    stop,
    clock,
    webhooks,
    async nextDue() {
      const due = [await jobs.nextDue(), callFaults.nextDue()].filter((time) => time !== undefined);
      return due.length === 0 ? undefined : Math.min(...due);
    },
    mute(muted) {
      webhooks.mute(muted);
      faults.mute(muted);
    },
    isIdle: () => isRead && jobs.isIdle(),
    isSettled: jobs.isSettled,
  };
}
