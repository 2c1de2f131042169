import Router from '@koa/router';
import { alivePath, readyPath } from '#server/http/paths.ts';
import type { ReadinessDeps } from './readiness.ts';
import { createReadiness } from './readiness.ts';

/**
 * Health checks for operators. /healthz: the process is running; /readyz: store and service respond (503 if one does
 * not).
 */
export function healthRoutes(deps: ReadinessDeps): Router {
  const readiness = createReadiness(deps);

  const router = new Router();
  router.get(alivePath, (ctx) => {
    ctx.body = { status: 'ok' };
  });
  router.get(readyPath, async (ctx) => {
    const found = await readiness();
    ctx.status = found.store && found.upstream ? 200 : 503;
    ctx.body = found;
  });
  return router;
}
