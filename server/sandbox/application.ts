import Router from '@koa/router';
import type { JWK } from 'jose';
import Koa from 'koa';
import { hasLeft } from '#server/http/left.ts';
import { trustProxies } from '#server/http/proxies.ts';
import { authRoutes } from '#server/sandbox/onboarding/authService.ts';
import { authoriseRoutes } from '#server/sandbox/subscription/authorisePage.ts';
import { batchRoutes } from '#server/sandbox/payment/batchRoutes.ts';
import { createBatchLife } from '#server/sandbox/payment/batchLifecycle.ts';
import { body } from '#server/sandbox/http/body.ts';
import { createCallers } from '#server/sandbox/onboarding/callers.ts';
import type { Catalogue } from '#server/sandbox/catalogue/types.ts';
import type { SandboxConfig } from './config.ts';
import type { SandboxCredentials } from './credentials.ts';
import { definitionRoutes } from '#server/sandbox/lookup/routes.ts';
import { guard } from '#server/sandbox/http/originGuard.ts';
import { createConsents } from '#server/sandbox/consent/lifecycle.ts';
import { createIdempotency } from '#server/sandbox/store/idempotency.ts';
import { homeRoutes } from '#server/sandbox/pages/home.ts';
import { identityRoutes } from '#server/sandbox/onboarding/identityProvider.ts';
import { createMovableClock } from '#server/sandbox/lab/clock.ts';
import { createFaultyCalls } from '#server/sandbox/lab/callFaults.ts';
import { createFaults } from '#server/sandbox/lab/faults.ts';
import { changeableCatalogue } from '#server/sandbox/lab/definitionFaults.ts';
import { labDocumentRoutes } from '#server/sandbox/lab/openapi.ts';
import { labRoutes } from '#server/sandbox/lab/routes.ts';
import { createSent } from '#server/sandbox/webhooks/deliveries.ts';
import { labWebhookRoutes } from '#server/sandbox/webhooks/labRoutes.ts';
import { messagingRoutes } from '#server/sandbox/party/messages.ts';
import { networkRoutes } from '#server/sandbox/onboarding/network.ts';
import { pageRoutes } from '#server/sandbox/payment/transferRequest.ts';
import { Problem, problems, refusing } from '#server/sandbox/http/problem.ts';
import { rateLimit } from '#server/sandbox/http/rateLimit.ts';
import { observed, type ObservedCall, type PassedOn } from '#server/sandbox/http/observedCalls.ts';
import { createRequestLog } from '#server/sandbox/http/requestLog.ts';
import { createSchedule } from '#server/sandbox/store/jobs.ts';
import type { Clock } from '#server/clock.ts';
import type { Log, Services } from './services.ts';
import { createStorage } from '#server/sandbox/store/collection.ts';
import type { Share } from '#server/sandbox/store/tenantStore.ts';
import { createSubscriptionLife } from '#server/sandbox/subscription/lifecycle.ts';
import { subscriptionRoutes } from '#server/sandbox/subscription/routes.ts';
import { createTokens } from '#server/sandbox/onboarding/tokens.ts';
import { createWebhooks } from '#server/sandbox/webhooks/sender.ts';

export interface SandboxDeps {
  config: SandboxConfig;
  credentials: SandboxCredentials;
  catalogue: Catalogue;
  /** The application's part of the store. */
  share: Share;
  /** Signs the tokens of all applications. */
  key: JWK;
  /**
   * The machine's clock, on which the application's movable clock is based. Rate limits, pauses and the timestamps of
   * webhooks follow the machine's clock.
   */
  clock: Clock;
  newId: () => string;
  log: Log;
  /**
   * Called to delete everything of the application; this sandbox then writes nothing more, and a new one replaces it.
   */
  empty: () => Promise<void>;
  /** Called after each change of the fault lab's state. */
  labChanged: () => void;
  /** Called with each answered call of the service's API. */
  observe?: ((call: ObservedCall) => void) | undefined;
  /** The calls that the console forwards for programs; `observe` is not called with them. */
  passed?: PassedOn | undefined;
  /** Called with each call that a fault affects, before the fault takes effect. */
  marked?: Parameters<typeof createFaultyCalls>[0]['marked'];
}

export interface Sandbox {
  app: Koa;
  /** Reads the cached state and starts the jobs; call it again after another process may have changed the store. */
  start: () => Promise<void>;
  /** Closes the connections held by the fault lab, and waits for running jobs; the others resume later. */
  stop: () => Promise<void>;
  /** Whether the sandbox is known to have no pending jobs. */
  isIdle: () => boolean;
  /** Whether no work is in progress, so that nothing happens until the clock advances. */
  isSettled: () => boolean;
}

/**
 * Creates the service for one application, in the wire protocol of the Payments Out Service (server/upstream/wire.ts).
 */
export function createSandbox(deps: SandboxDeps): Sandbox {
  const {
    config,
    credentials,
    catalogue,
    share,
    key,
    clock: machineClock,
    newId,
    log,
    empty,
    labChanged,
    observe,
    passed,
    marked,
  } = deps;
  const storage = createStorage(share);
  const clock = createMovableClock({ clock: machineClock, storage });
  const schedule = createSchedule(share, { clock, log });
  clock.onChange(async () => {
    await schedule.start();
    labChanged();
  });
  const faults = createFaults({ storage, together: share.transaction, newId, changed: labChanged });
  const sent = createSent(share);
  const tokens = createTokens({ key, applicationId: credentials.applicationId, clock });
  const services: Services = {
    config,
    credentials,
    catalogue: changeableCatalogue(catalogue, faults),
    clock,
    newId,
    storage,
    transaction: share.transaction,
    schedule,
    tokens,
    idempotency: createIdempotency(share, clock),
    callers: createCallers({ storage, tokens, credentials }),
    faults,
    webhooks: createWebhooks({
      ...{ config, credentials, schedule, faults, sent, clock, machineClock, newId, log },
      secondUrl: async () => (await storage.find('receiver', 'second'))?.url ?? '',
    }),
  };
  const subscriptions = createSubscriptionLife(services);
  const consents = createConsents(services);
  const batches = createBatchLife(services, consents);

  const requests = createRequestLog(machineClock);
  const refuse = refusing(log);
  const refused = problems(log);
  const faulty = createFaultyCalls({
    faults,
    remember: (name) => storage.add('magic', name, true),
    clock: machineClock,
    problems: refused,
    marked: marked && ((call, mark) => marked({ ...call, path: credentials.path + call.path }, mark)),
  });
  let ready: Promise<void> | undefined;
  /** Whether the jobs have been read. */
  let isRead = false;
  async function stop(): Promise<void> {
    faulty.letGo();
    await ready?.catch(() => undefined);
    await schedule.stop();
  }
  async function reset(): Promise<void> {
    await empty();
    labChanged();
  }

  async function load(): Promise<void> {
    await clock.load();
    await faults.load();
    await schedule.start();
    isRead = true;
  }
  /** Reads the cached state and starts the jobs. After a failure, the next call starts over. */
  function start(): Promise<void> {
    ready = load().catch((error: unknown) => {
      ready = undefined;
      throw error;
    });
    return ready;
  }

  const router = new Router();
  for (const area of [
    authRoutes(services),
    identityRoutes(services),
    networkRoutes(services),
    definitionRoutes(services),
    subscriptionRoutes(services, subscriptions),
    authoriseRoutes(services, subscriptions),
    messagingRoutes(services, subscriptions, consents),
    consents.routes(),
    batchRoutes(services, subscriptions, batches),
    pageRoutes(services),
    homeRoutes(services, { requests, clock: machineClock, reset }),
    labDocumentRoutes(),
    labRoutes(services, { clock, batches, letGo: faulty.letGo }),
    labWebhookRoutes(services, { sent, clock: machineClock, changed: labChanged }),
  ])
    router.use(area.routes());
  const app = new Koa();
  trustProxies(app, config.trustedProxies);
  app.on('error', (error: unknown) => {
    log[hasLeft(error) ? 'debug' : 'warn']({ err: error }, 'an answer of the sandbox did not reach its caller');
  });
  if (observe || passed) app.use(observed({ observe, passed }, config.publicUrl, machineClock));
  app.use(requests.note);
  app.use(async (ctx, next) => {
    try {
      await (ready ?? start());
      await next();
    } catch (error) {
      refuse(ctx, error); // errors of the start and of `faulty`, which run before `refused`
    }
  });
  app.use(faulty.middleware);
  app.use(refused);
  app.use(guard(services));
  app.use(rateLimit({ config, clock: machineClock }));
  app.use(body);
  app.use(faulty.magic);
  app.use(router.routes());
  app.use(
    router.allowedMethods({
      throw: true,
      methodNotAllowed: () => new Problem(405, 'This address does not accept this method'),
    }),
  );
  return { app, start, stop, isIdle: () => isRead && schedule.isIdle(), isSettled: schedule.isSettled };
}
