import Router from '@koa/router';
import type { AppDeps } from '#server/deps.ts';
import { defaultWorkspace } from '#server/workspaces.ts';

/** For whoever keeps the server running: /healthz, it lives; /readyz, store and service answer (503 if one does not).
 * The store does not answer while anybody's settings cannot be read; `setAside` counts other records that cannot. */
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
    const { setAside, settings } = storeAnswers ? stores.unreadable() : { setAside: 0, settings: [] };
    const store = storeAnswers && settings.length === 0;
    ctx.status = store && upstreamAnswers ? 200 : 503;
    ctx.body = { store, upstream: upstreamAnswers, ...(setAside > 0 && { setAside }) };
  });
  return router;
}
