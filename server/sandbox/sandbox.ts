import Router from '@koa/router';
import Koa from 'koa';
import type { Db } from '#server/sqlite.ts';
import { authRoutes } from './auth.ts';
import { authoriseRoutes } from './authorise.ts';
import { batchRoutes } from './batches.ts';
import { createBatchLife } from './batchLife.ts';
import { body } from './body.ts';
import { createCallers } from './callers.ts';
import type { Catalogue } from './catalogue/types.ts';
import type { SandboxConfig } from './config.ts';
import type { SandboxCredentials } from './credentials.ts';
import { definitionRoutes } from './definitions.ts';
import { guard } from './guard.ts';
import { createConsents } from './consents.ts';
import { createIdempotency } from './idempotency.ts';
import { homeRoutes } from './home.ts';
import { identityRoutes } from './identity.ts';
import { messagingRoutes } from './messaging.ts';
import { networkRoutes } from './network.ts';
import { pageRoutes } from './pages.ts';
import { Problem, problems } from './problem.ts';
import { rateLimit } from './rate.ts';
import { createRequestLog } from './requests.ts';
import type { Schedule } from './schedule.ts';
import type { Clock } from '#server/clock.ts';
import type { Log, Services } from './services.ts';
import { createStorage } from './storage.ts';
import { createSubscriptionLife } from './subscriptionLife.ts';
import { subscriptionRoutes } from './subscriptions.ts';
import { createTokens } from './tokens.ts';
import { createWebhooks } from './webhooks.ts';

export interface SandboxDeps {
  config: SandboxConfig;
  credentials: SandboxCredentials;
  catalogue: Catalogue;
  db: Db;
  /** Must use the same database; the caller that listens starts and stops it. */
  schedule: Schedule;
  clock: Clock;
  newId: () => string;
  log: Log;
}

/** An embedded service that implements the wire protocol of the Payments Out Service (server/upstream/wire.ts). */
export function createSandbox({ config, credentials, catalogue, db, schedule, clock, newId, log }: SandboxDeps): Koa {
  const storage = createStorage(db);
  const tokens = createTokens({ storage, clock });
  const services: Services = {
    config,
    credentials,
    catalogue,
    clock,
    newId,
    storage,
    schedule,
    tokens,
    idempotency: createIdempotency({ db, clock }),
    callers: createCallers({ storage, tokens, credentials }),
    webhooks: createWebhooks({ config, credentials, schedule, clock, newId, log }),
  };
  const subscriptions = createSubscriptionLife(services);
  const consents = createConsents(services);
  const batches = createBatchLife(services, consents);

  const requests = createRequestLog(clock);
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
    homeRoutes(services, requests),
  ])
    router.use(area.routes());
  const app = new Koa();
  app.use(requests.note);
  app.use(problems(log));
  app.use(guard(services));
  app.use(rateLimit(services));
  app.use(body);
  app.use(router.routes());
  app.use(
    router.allowedMethods({
      throw: true,
      methodNotAllowed: () => new Problem(405, 'This address does not take this method'),
    }),
  );
  return app;
}
