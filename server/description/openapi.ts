import { z } from 'zod';
import { createDocument } from 'zod-openapi';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { text } from '#contract/shape.ts';
import { header } from '#server/upstream/wire.ts';
import { idsIn, serviceCall } from '#contract/serviceCalls.ts';
import { areas, operations, type Operation, type OperationName } from '#server/upstream/operations.ts';
import { securityOf, securitySchemes } from '#server/upstream/security.ts';
import { problem } from '#server/upstream/answers.ts';
import { chosen, specified, type Source } from '#server/upstream/documented.ts';
import { headOf } from './head.ts';
import { webhookBodies, webhookBodySource, webhookHeaders, webhookSource } from '#server/upstream/webhooks.ts';

const described = (schema: z.ZodType, description: string, source: Source) => schema.meta({ description, ...source });

const keyHeader = described(
  text.regex(/^[!-~]{1,200}$/),
  'The call takes effect once for each key: send it again to repeat the call',
  specified('3.1', '4.1'),
);
const languageHeader = described(text, 'The language of texts, such as en-GB', specified('3.1')).optional();
const interactionHeader = 'A new UUID for each call, for the service’s support';

/** Headers besides those of authentication. */
const headersOf = ({ writes, isTranslated, proof }: ReturnType<typeof serviceCall>) =>
  z.object({
    [header.interaction]:
      writes === 'message'
        ? described(z.uuid(), interactionHeader, specified('3.1'))
        : described(text, interactionHeader, specified('3.1')).optional(),
    ...(writes && { [header.idempotency]: keyHeader }),
    ...(isTranslated && { [header.language]: languageHeader }),
    ...(proof === 'owner' && {
      [header.organisation]: described(text, 'The organisation whose token is asked for', specified('2.2.1')),
      [header.company]: described(
        text,
        'The company whose token is asked for; without it, the organisation’s',
        specified('2.2.1'),
      ).optional(),
    }),
  });

const answerHeaders = {
  [header.interaction]: { description: 'That of the call', schema: { type: 'string' }, ...chosen('3.3') },
  [header.replayed]: {
    description: 'In the answer to a repeated call',
    schema: { type: 'string' },
    ...chosen('4.8'),
  },
} as const;

const refusal = (description: string) => ({
  description,
  headers: answerHeaders,
  content: { 'application/problem+json': { schema: problem } },
  ...chosen('14.2'),
});

function operation(name: OperationName, method: string): ZodOpenApiOperationObject {
  const { area, source, query, body, status, answer }: Operation = operations[name];
  const call = serviceCall(name);
  const ids = idsIn(name);
  return {
    // The token is obtained by POST or GET (wire, section 2.2).
    operationId: name === 'accessToken' && method === 'GET' ? 'accessTokenByGet' : name,
    tags: [area],
    summary: call.purpose,
    ...source,
    security: securityOf[call.proof],
    requestParams: {
      header: headersOf(call),
      ...(query && { query }),
      ...(ids.length > 0 && {
        path: z.object(Object.fromEntries(ids.map((id) => [id, text.meta({ ...source })]))),
      }),
    },
    ...(body && {
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: body.schema, ...(body.example !== undefined && { example: body.example }) },
        },
        ...body.source,
      },
    }),
    responses: {
      [status]: {
        description: status === 202 ? 'Forwarded; a webhook brings the answer' : 'Done',
        headers: answerHeaders,
        ...(answer && { content: { [answer.type ?? 'application/json']: { schema: answer.schema } } }),
        ...(answer?.source ?? source),
      },
      400: refusal('The request is not valid'),
      default: refusal('Refused, with what is wrong'),
    },
  };
}

const webhooks = (): ZodOpenApiPathsObject =>
  Object.fromEntries(
    Object.entries(webhookBodies).map(([type, schema]) => [
      type,
      {
        post: {
          operationId: `${type}Webhook`,
          tags: ['Webhooks'],
          summary: `The webhook ${type}`,
          ...webhookSource,
          security: [],
          requestParams: { header: webhookHeaders },
          requestBody: { required: true, content: { 'application/json': { schema } }, ...webhookBodySource },
          responses: {
            '200': { description: 'Accepted; any 2xx will do', ...chosen('6.3.6') },
            '400': { description: 'Refused; it is delivered again', ...chosen('6.3.6') },
          },
        },
      },
    ]),
  );

/**
 * Returns the OpenAPI 3.1 description of the Payments Out Service, made from the shapes that read and check its calls.
 * `x-source` says of each part whether it is specified or a choice of the sandbox, `x-wire` by which lines of
 * docs/wire.md. `url`: the address of the service.
 */
export function serviceOpenApi(url = '/') {
  const paths: ZodOpenApiPathsObject = {};
  for (const name of Object.keys(operations) as OperationName[]) {
    const { methods, path } = serviceCall(name);
    for (const method of methods) paths[path] = { ...paths[path], [method.toLowerCase()]: operation(name, method) };
  }
  const document = createDocument({
    ...headOf(
      'Payments Out Service',
      'The protocol that console and sandbox speak. The service has several hosts: below /auth-v1 that for tokens, below /network-v1 that of the network; all others are of the consumer API unless an environment says otherwise.',
      url,
    ),
    tags: Object.entries(areas).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhooks(),
    components: { securitySchemes },
  });
  const { openapi, info, ...rest } = document;
  return { openapi, info, paths: {}, components: {}, ...rest };
}
