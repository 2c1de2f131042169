import { z } from 'zod';
import { calls } from '#contract/calls.ts';
import type { CallName } from '#contract/calls.ts';
import { problemSchema } from '#contract/problem.ts';
import { shapes } from '#contract/shapes.ts';
import type { Shape } from './route.ts';

interface ObjectSchema {
  properties: Record<string, object>;
  required?: string[];
}

const names = Object.keys(calls) as CallName[]; // the table's own keys

/**
 * All schemas converted at once, so that a schema which several calls share is described once; zod puts those under
 * `$defs`, OpenAPI wants them under components.
 */
function schemas() {
  const parts = names.flatMap((name) =>
    Object.entries<z.ZodType>(shapes[name]).map(([part, schema]) => [`${name} ${part}`, schema]),
  );
  const all = z.object({ ...Object.fromEntries(parts), problem: problemSchema });
  const text = JSON.stringify(z.toJSONSchema(all, { io: 'input' })).replaceAll('#/$defs/', '#/components/schemas/');
  return JSON.parse(text) as ObjectSchema & { $defs: Record<string, object> }; // the shape of what toJSONSchema made
}

const json = (schema: object | undefined) => ({ content: { 'application/json': { schema } } });

/** The OpenAPI 3.1 description of the console's own API, from the declarations that the guard enforces. */
export function openApi() {
  const { properties, $defs } = schemas();
  const resolved = (schema: object | undefined): ObjectSchema => schema as ObjectSchema; // params and queries are inline objects

  const parameters = (name: CallName) =>
    (['path', 'query'] as const).flatMap((place) => {
      const schema = properties[`${name} ${place === 'path' ? 'params' : 'query'}`];
      if (!schema) return [];
      return Object.entries(resolved(schema).properties).map(([parameter, parameterSchema]) => ({
        name: parameter,
        in: place,
        required: place === 'path',
        schema: parameterSchema,
      }));
    });

  const operation = (name: CallName) => {
    const shape: Shape = shapes[name];
    const body = properties[`${name} body`];
    const answer = properties[`${name} answer`];
    const idempotencyKey = { name: 'Idempotency-Key', in: 'header', required: true, schema: { type: 'string' } };
    const problem = { content: { 'application/problem+json': { schema: properties['problem'] } } };
    return {
      operationId: name,
      summary: name.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`),
      parameters: [...parameters(name), ...('write' in calls[name] ? [idempotencyKey] : [])],
      ...(body && { requestBody: { required: true, ...json(body) } }),
      responses: {
        200: {
          description: 'Done',
          ...(shape.answer instanceof z.ZodString ? { content: { 'text/plain': { schema: answer } } } : json(answer)),
        },
        '4XX': { description: 'Refused by the console or by the payments service', ...problem },
        '5XX': { description: 'The console or the payments service failed', ...problem },
      },
    };
  };

  const paths: Record<string, Record<string, object>> = {};
  for (const name of names) {
    const { method, path } = calls[name];
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(name) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Payments Out Console',
      version: '1.0.0',
      description: 'The calls between the console’s page and its server.',
      license: { name: 'Unlicensed', identifier: 'UNLICENSED' },
    },
    servers: [{ url: '/' }],
    security: [],
    paths,
    components: { schemas: $defs },
  };
}
