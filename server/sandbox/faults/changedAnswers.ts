import { isObject, jsonIn, type Json, type JsonObject } from '#contract/json.ts';

/** A status that no public page names. */
const unknownStatus = 'UnderReview';

/** Returns the object that a text contains; undefined if it contains none. */
export function objectIn(text: string): JsonObject | undefined {
  const value = jsonIn(text);
  return isObject(value) ? value : undefined;
}

/** Returns a value in which each object is changed, the innermost first. */
function mapObjects(value: Json, change: (object: JsonObject) => JsonObject): Json {
  if (Array.isArray(value)) return value.map((each) => mapObjects(each, change));
  if (!isObject(value)) return value;
  const inner = Object.entries(value).map(([name, each]) => [name, mapObjects(each, change)] as const);
  return change(Object.fromEntries(inner));
}

const mapped = (body: JsonObject, change: (object: JsonObject) => JsonObject): JsonObject =>
  mapObjects(body, change) as JsonObject; // an object stays one

/** Adds members of several kinds to each object. */
export const withExtraMembers = (body: JsonObject): JsonObject =>
  mapped(body, (object) => ({ ...object, addedByTheLab: { version: 2, tags: ['new'] }, _embedded: [] }));

/** Replaces each status by one that is not documented. */
export const withUnknownStatus = (body: JsonObject): JsonObject =>
  mapped(body, (object) => (typeof object['status'] === 'string' ? { ...object, status: unknownStatus } : object));

/** Optional members of a response, of its data, and of a payment. */
const optional = {
  body: { error: null },
  data: { additionalData: null, debtorAgent: null, userIdentification: null },
  links: { authorise: null, paymentFile: null },
  payment: { additionalData: null, creditorAgent: null, paymentCompletedDate: null },
} as const;

/** Adds the optional members that a response lacks, with null as their value. */
export function withNullMembers(body: JsonObject): JsonObject {
  const { data, links } = body;
  if (!isObject(data)) return body;
  const { payments } = data;
  const listed = Array.isArray(payments)
    ? { payments: payments.map((each) => (isObject(each) ? { ...optional.payment, ...each } : each)) }
    : {};
  return {
    ...optional.body,
    ...body,
    data: { ...optional.data, ...data, ...listed },
    ...(isObject(links) && { links: { ...optional.links, ...links } }),
  };
}
