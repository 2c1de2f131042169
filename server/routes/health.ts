import Router from '@koa/router';
import type { AppDeps } from '#server/deps.ts';
import { createReadiness } from '#server/readiness.ts';

const [alive, ready] = ['/healthz', '/readyz'];
export const healthPaths: readonly string[] = [alive, ready];

/**
 * Health checks for operators. /healthz: the process is running; /readyz: store and service respond (503 if one does
 * not).
 */
export function healthRoutes(deps: Pick<AppDeps, 'storage' | 'upstream' | 'clock' | 'log'>): Router {
  const readiness = createReadiness(deps);

  const router = new Router();
  router.get(alive, (ctx) => {
    ctx.body = { status: 'ok' };
  });
  router.get(ready, async (ctx) => {
    const found = await readiness();
    ctx.status = found.store && found.upstream ? 200 : 503;
    ctx.body = found;
  });
  return router;
}
