import { z } from 'zod';
import { createDocument } from 'zod-openapi';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { problem } from '#server/upstream/described.ts';
import { version } from '#server/version.ts';
import { labCalls, labPath, type LabCall, type LabCallName } from '#contract/sandboxLab.ts';

const json = (schema: z.ZodType) => ({ content: { 'application/json': { schema } } });

const refusal = { content: { 'application/problem+json': { schema: problem } } };

function operation(name: LabCallName) {
  const { path, says, status, body, answer }: LabCall = labCalls[name];
  const [, named] = /\{(\w+)\}/.exec(path) ?? [];
  return {
    operationId: name,
    summary: name.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`),
    description: says,
    ...(named && { requestParams: { path: z.object({ [named]: z.string() }) } }),
    ...(body && { requestBody: { required: true, ...json(body) } }),
    responses: {
      [status]: { description: 'Done', ...(answer && json(z.strictObject({ data: answer }))) },
      // By status and as a default, because generators of clients make no name of a range such as `4XX`.
      400: { description: 'The request is not valid', ...refusal },
      default: { description: 'Refused, with what is wrong', ...refusal },
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
    openapi: '3.1.0',
    info: {
      title: 'Fault lab of the sandbox',
      version,
      description: 'Causes on purpose the faults of a real service (docs/sandbox.md).',
      license: { name: 'Unlicensed', identifier: 'UNLICENSED' },
    },
    servers: [{ url: '/' }],
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
