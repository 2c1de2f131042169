import { operationAt as serviceOperationAt, serviceCall } from '#contract/serviceCalls.ts';
import { serviceOpenApi } from './openapi.ts';
import { operations, type OperationName } from '#server/upstream/operations.ts';
import type { JsonSchema } from './differences.ts';

type Content = Readonly<Record<string, { schema?: JsonSchema }>>;
interface Described {
  requestBody?: { content: Content };
  responses: Readonly<Record<string, { content?: Content }>>;
}

/** The document as plain JSON: generated, so that it has these members. */
interface Document {
  paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  webhooks: Readonly<Record<string, { post: Described }>>;
  components: { schemas: Readonly<Record<string, JsonSchema>> };
}

let made: Document | undefined;
/** The description, made once, because making it takes a tenth of a second. */
const document = (): Document => (made ??= JSON.parse(JSON.stringify(serviceOpenApi())) as Document);

export const describedSchemas = (): Document['components']['schemas'] => document().components.schemas;

/** Returns the operation of a call; its path may begin with that of the service. Undefined if none is described. */
export function operationAt(method: string, path: string): OperationName | undefined {
  const name = serviceOperationAt(method, path);
  return name === 'authorize' ? undefined : name;
}

const ofOperation = (name: OperationName): Described => {
  const { path, methods } = serviceCall(name);
  return document().paths[path]![(methods[0] ?? '').toLowerCase()]!; // made of the same table
};

/** An answer as described: its type, its schema unless it has no body, and the status of a success. */
export interface DescribedAnswer {
  success: number;
  type?: string;
  schema?: JsonSchema;
}

/** Returns how the answer to an operation with this status is described. */
export function describedAnswer(name: OperationName, status: number): DescribedAnswer {
  const { responses } = ofOperation(name);
  const success = operations[name].status;
  const { content = {} } = responses[status < 400 ? success : 'default']!; // each operation has both
  const [[type, { schema }] = [undefined, {}]] = Object.entries(content);
  return { success, ...(type !== undefined && { type }), ...(schema && { schema }) };
}

export const describedRequest = (name: OperationName): JsonSchema | undefined =>
  ofOperation(name).requestBody?.content['application/json']?.schema;

/** Returns the schema of a webhook of this type; undefined if there is none. */
export const describedWebhook = (type: string): JsonSchema | undefined =>
  Object.hasOwn(document().webhooks, type)
    ? document().webhooks[type]!.post.requestBody!.content['application/json']!.schema // each has a body
    : undefined;
