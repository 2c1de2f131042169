import { createDocument } from 'zod-openapi';
import Router from '@koa/router';
import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { controlCalls, controlPath, type ControlCall, type ControlCallName } from '#contract/controlCalls.ts';
import { problem } from '#server/upstream/answers.ts';
import { serviceOpenApi } from '#server/description/openapi.ts';
import { headOf, json, refusalsOf, wordsOf } from '#server/description/head.ts';
import type { SandboxConfig } from './config.ts';

function operation(name: ControlCallName) {
  const { path, says, status, body, answer }: ControlCall = controlCalls[name];
  const [, named] = /\{(\w+)\}/.exec(path) ?? [];
  return {
    operationId: name,
    summary: wordsOf(name),
    description: says,
    ...(named && { requestParams: { path: z.object({ [named]: z.string() }) } }),
    ...(body && { requestBody: { required: true, ...json(body) } }),
    responses: {
      [status]: { description: 'Done', ...(answer && json(z.strictObject({ data: answer }))) },
      ...refusalsOf(problem, 'Refused, with what is wrong'),
    },
  };
}

/**
 * Returns the OpenAPI 3.1 description of the fault lab, generated from the declarations by which its calls are routed
 * and checked.
 */
export function controlOpenApi() {
  const paths: ZodOpenApiPathsObject = {};
  for (const name of Object.keys(controlCalls) as ControlCallName[])
    paths[controlPath(name)] = { ...paths[controlPath(name)], [controlCalls[name].method]: operation(name) };
  return createDocument({
    ...headOf('Fault lab of the sandbox', 'Causes on purpose the faults of a real service (docs/sandbox.md).'),
    security: [{ controlToken: [] }],
    paths,
    components: {
      securitySchemes: {
        controlToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'The control token that the sandbox’s home page shows',
        },
      },
    },
  });
}

/**
 * Serves the descriptions of the service and of the fault lab without authentication: they contain no secret. Each is
 * made on demand, because making it takes a tenth of the start.
 */
export function documentRoutes({ publicUrl }: Pick<SandboxConfig, 'publicUrl'>): Router {
  const router = new Router();
  const documents = { '/openapi.json': () => serviceOpenApi(publicUrl), '/sandbox/openapi.json': controlOpenApi };
  for (const [path, make] of Object.entries(documents)) {
    let made: unknown;
    router.get(path, (ctx) => {
      made ??= make();
      ctx.body = made;
    });
  }
  return router;
}
