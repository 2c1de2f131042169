import Router from '@koa/router';
import { serviceOpenApi } from '#server/description/openapi.ts';
import type { SandboxConfig } from './config.ts';
import { labOpenApi } from './lab/openapi.ts';

/**
 * Serves the descriptions of the service and of the fault lab without authentication: they contain no secret. Each is
 * made on demand, because making it takes a tenth of the start.
 */
export function documentRoutes({ publicUrl }: Pick<SandboxConfig, 'publicUrl'>): Router {
  const router = new Router();
  const documents = { '/openapi.json': () => serviceOpenApi(publicUrl), '/sandbox/openapi.json': labOpenApi };
  for (const [path, make] of Object.entries(documents)) {
    let made: unknown;
    router.get(path, (ctx) => {
      made ??= make();
      ctx.body = made;
    });
  }
  return router;
}
