import Router from '@koa/router';
import type { AppDeps } from '#server/deps.ts';
import { defaultWorkspace } from '#server/workspaces.ts';

/** For whoever keeps the server running: /healthz, it lives; /readyz, store and service answer (503 if one does not). */
export function healthRoutes({ stores, upstream, log }: AppDeps): Router {
  const answers = async (what: string, asking: Promise<unknown>): Promise<boolean> => {
    try {
      await asking;
      return true;
    } catch (error) {
      log.warn({ what, reason: String(error) }, 'not ready');
      return false;
    }
  };

  const router = new Router();
  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' };
  });
  router.get('/readyz', async (ctx) => {
    const [storeAnswers, upstreamAnswers] = await Promise.all([
      answers('store', stores.of(defaultWorkspace).settings.read()),
      answers('upstream', upstream.health('consumer')),
    ]);
    ctx.status = storeAnswers && upstreamAnswers ? 200 : 503;
    ctx.body = { store: storeAnswers, upstream: upstreamAnswers };
  });
  return router;
}
