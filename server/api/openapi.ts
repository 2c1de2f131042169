import { z } from 'zod';
import { createDocument } from 'zod-openapi';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { calls } from '#contract/calls.ts';
import type { CallName } from '#contract/calls.ts';
import { callPurposes } from '#contract/purposes.ts';
import { programPath, programTokenHeader } from '#contract/programs.ts';
import { problemSchema } from '#contract/problem.ts';
import { shapes } from '#contract/shapes.ts';
import { collectionQuery, timelineEntrySchema } from '#contract/timeline.ts';
import { headOf, json, refusalsOf, wordsOf } from '#server/description/head.ts';
import { eventsPath } from './events.ts';
import type { Shape } from '#server/http/declaration.ts';
import { collectionPaths } from '#contract/exports.ts';
import { timelinePaths } from './timeline.ts';

/** A file, usually a text. */
const file = {
  content: {
    'text/plain': { schema: z.string() },
    '*/*': { schema: z.string().meta({ format: 'binary' }) },
  },
};
const problem = { content: { 'application/problem+json': { schema: problemSchema } } };
const keyOfWrite = 'Idempotency-Key';
const idempotencyKey = z.object({
  [keyOfWrite]: z
    .string()
    .regex(/^[!-~]{1,200}$/)
    .optional()
    .meta({
      description:
        'The write takes effect once for each key; a repeat under the key is answered as the first request was. Without the header the server assigns a new key, so that each request is another write.',
    }),
});
const assignedKey = {
  [keyOfWrite]: {
    description: 'The key that the server has assigned to a request without one; send it to repeat the request.',
    schema: { type: 'string' },
  },
} as const;

const problems = refusalsOf(problemSchema, 'Refused by the console or by the payments service, or failed there');

const problemsOfWrites = {
  400: { ...problems[400], headers: assignedKey },
  default: { ...problems.default, headers: assignedKey },
};

function operation(name: CallName): ZodOpenApiOperationObject {
  const { params, query, body, answer }: Shape = shapes[name];
  return {
    operationId: name,
    summary: wordsOf(name),
    description: callPurposes[name],
    requestParams: {
      ...(params && { path: params }),
      ...(query && { query }),
      ...('write' in calls[name] && { header: idempotencyKey }),
    },
    ...(body && { requestBody: { required: true, ...json(body) } }),
    responses: {
      200: {
        description: 'Done',
        ...('write' in calls[name] && { headers: assignedKey }),
        ...('file' in calls[name] ? file : json(answer)),
      },
      ...('write' in calls[name] ? problemsOfWrites : problems),
    },
  };
}

/** The exports of a selection of the timeline as requests to send again. */
const collections: ZodOpenApiPathsObject = Object.fromEntries(
  (
    [
      ['postman', 'a Postman collection 2.1', 'application/json'],
      ['bruno', 'a zip of a Bruno folder', 'application/zip'],
      ['httpFile', 'a .http file', 'text/plain'],
    ] as const
  ).map(([name, what, type]) => [
    collectionPaths[name],
    {
      get: {
        operationId: `exportCollection${name[0]!.toUpperCase()}${name.slice(1)}`, // not empty
        summary: `export calls as ${what}`,
        requestParams: { query: collectionQuery },
        responses: {
          200: {
            description: `The calls of the service that match, as ${what}; secrets are variables`,
            content: { [type]: { schema: z.string() } },
          },
          ...problems,
        },
      },
    },
  ]),
);

/** Paths that are not JSON calls: events, and exports of the timeline. */
const streams: ZodOpenApiPathsObject = {
  [eventsPath]: {
    get: {
      operationId: 'followEvents',
      summary: 'follow events',
      description:
        'Server-sent events: `news` names a message, subscription or batch with something new to read, `entry` carries a new entry of the timeline, `here` comes every 15 seconds. Events that came before the stream was opened are not repeated: read once when it is open.',
      responses: {
        200: {
          description: 'Events as they happen',
          content: { 'text/event-stream': { schema: z.union([z.object({ id: z.string() }), timelineEntrySchema]) } },
        },
        ...problems,
      },
    },
  },
  [timelinePaths.har]: {
    get: {
      operationId: 'exportTimeline',
      summary: 'export timeline',
      responses: {
        200: {
          description: 'The timeline as an HTTP archive (HAR 1.2)',
          ...json(z.looseObject({ log: z.looseObject({}) })),
        },
        ...problems,
      },
    },
  },
  ...collections,
  [timelinePaths.zip]: {
    get: {
      operationId: 'exportSupportBundle',
      summary: 'export support bundle',
      responses: {
        200: {
          description: 'A zip of the timeline, the facts, the states of machines, versions and the rules in use',
          content: { 'application/zip': { schema: z.string().meta({ format: 'binary' }) } },
        },
        ...problems,
      },
    },
  },
};

const responses = { description: 'The service’s answer, as received', content: { '*/*': { schema: z.unknown() } } };

/** The address for the user's own programs. */
const programs: ZodOpenApiPathsObject = {
  [`${programPath}/{path}`]: Object.fromEntries(
    (['get', 'post', 'put', 'patch', 'delete'] as const).map((method) => [
      method,
      {
        operationId: `pass${method[0]!.toUpperCase()}${method.slice(1)}`, // not empty
        summary: `pass on a ${method.toUpperCase()} of a program`,
        description:
          'Passes a call of a program of the user’s own to the service unchanged, and records it in the timeline with what was wrong with it. The console adds no credentials: the program sends its own, and a token that the page makes.',
        requestParams: {
          path: z.object({
            path: z.string().meta({
              description: 'The path of the service’s protocol, with its slashes, such as `v3/providers`.',
            }),
          }),
          header: z.object({ [programTokenHeader]: z.string() }),
        },
        responses: {
          200: responses,
          401: { description: 'The token is missing, unknown, revoked or expired; or so says the service', ...problem },
          ...problems,
        },
      },
    ]),
  ),
};

/**
 * Returns the OpenAPI 3.1 description of the console's own API, generated from the declarations by which calls are
 * checked.
 */
export function openApi() {
  const paths: ZodOpenApiPathsObject = {};
  for (const name of Object.keys(calls) as CallName[]) {
    const { method, path } = calls[name];
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(name) };
  }
  const described = createDocument({
    ...headOf('Payments Out Console', 'The calls between the console’s page and its server.'),
    paths: { ...paths, ...streams, ...programs },
  });
  return { paths: {}, components: {}, ...described };
}
