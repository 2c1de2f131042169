import { z } from 'zod';
import { jsonSchema } from '#contract/shape.ts';

/**
 * Where a part of the description comes from, as docs/wire.md marks it: `specification` is public or follows from the
 * console's calls, `sandbox` is a choice of this project. The numbers are those of its lines.
 */
export type Source = {
  'x-source': 'specification' | 'sandbox';
  'x-wire': string[];
};

export const specified = (...lines: string[]): Source => ({ 'x-source': 'specification', 'x-wire': lines });
export const chosen = (...lines: string[]): Source => ({ 'x-source': 'sandbox', 'x-wire': lines });

/**
 * An answer of the service has one schema: the console reads by it, and it says where the service is documented to send
 * something else than the console needs. `documentedForm` is the answer as documented, which the description shows and
 * drift compares with.
 */
const documentation = z.registry<{ as: unknown }>();

/** A part that is read by one schema, and documented by another. */
export const documented = <Read extends z.ZodType>(read: Read, as: z.ZodType | undefined): Read => {
  const own = read.clone(); // another part may be read by the same schema
  documentation.add(own, { as });
  return own;
};

/** A member that the service always sends, and the console can do without. */
export const alwaysSent = <Schema extends z.ZodType>(schema: Schema) => documented(schema.optional(), schema);

/** A member that is documented, and not read. */
export const unread = (schema: z.ZodType) => documented(jsonSchema.optional(), schema);

/** A member that is read if it is there, such as one with the name used by a sibling service, and is not documented. */
export const undocumented = <Schema extends z.ZodType>(schema: Schema) => documented(schema.optional(), undefined);

type Part = z.core.$ZodType;

/** Returns a schema with each of its parts replaced by what `of` returns, without the members that have none; itself if nothing changes. */
export function withParts(schema: Part, of: (part: Part) => Part | undefined): Part {
  const change = (name: string, before: Part): Part => {
    const after = of(before);
    return after === before ? schema : z.core.clone(schema, { ...schema._zod.def, [name]: after }); // of its kind
  };
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return change('innerType', schema.unwrap());
  if (schema instanceof z.ZodArray) return change('element', schema.element);
  if (schema instanceof z.ZodRecord) return change('valueType', schema.valueType);
  if (!(schema instanceof z.ZodObject)) return schema;
  const members = Object.entries<Part>(schema.shape).map(([name, member]) => [name, member, of(member)] as const);
  if (members.every(([, before, after]) => before === after)) return schema;
  const shape = Object.fromEntries(members.flatMap(([name, , after]) => (after ? [[name, after]] : [])));
  return z.core.clone(schema, { ...schema._zod.def, shape });
}

/** Returns an answer as it is documented. */
export function documentedForm(schema: Part): z.ZodType {
  const form = (part: Part): Part | undefined => {
    const found = documentation.get(part);
    if (found) return found.as === undefined ? undefined : form(found.as as Part); // `documented` takes nothing else
    const changed = withParts(part, form);
    if (changed === part) return part;
    const meta = z.globalRegistry.get(part);
    const as = meta ? (changed as z.ZodType).meta(meta) : changed;
    documentation.add(part, { as }); // so that two answers with one part have one form of it
    return as;
  };
  return form(schema) as z.ZodType; // an answer as a whole is documented
}
