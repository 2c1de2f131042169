import { z } from 'zod';
import { createDocument } from 'zod-openapi';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { problem } from '#server/upstream/answers.ts';
import { headOf, json, refusalsOf, wordsOf } from '#server/description/head.ts';
import { labCalls, labPath, type LabCall, type LabCallName } from '#contract/sandboxLab.ts';

function operation(name: LabCallName) {
  const { path, says, status, body, answer }: LabCall = labCalls[name];
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
export function labOpenApi() {
  const paths: ZodOpenApiPathsObject = {};
  for (const name of Object.keys(labCalls) as LabCallName[])
    paths[labPath(name)] = { ...paths[labPath(name)], [labCalls[name].method]: operation(name) };
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
