import { z } from 'zod';
import { type FormName, type OwnField, type OwnValues, fieldsOf, messageOf } from './forms.ts';
import type { Json } from './json.ts';

/**
 * What the shapes of all areas are made of. What the service sends is read by loose objects: it may send more than the
 * specification names (wire, section 8).
 */

export const text = z.string();
export const filled = text.trim().min(1, 'a value is required');

/** Any JSON value. A parser makes nothing else, so it is not looked at: that would take seconds for a million elements. */
export const jsonSchema = z.any() as z.ZodType<Json, Json>; // what the parser made

/** Which member names an element of a list: of two with the same one the second is skipped on reading. */
export const identities = z.registry<{ member: string }>();

/** An element that is known by this member. */
export const identified = <Schema extends z.ZodType>(member: string, schema: Schema): Schema => {
  identities.add(schema, { member });
  return schema;
};

/** Something in an answer of the service that was not understood: its place there and why. */
export const skippedSchema = z
  .array(z.object({ path: text, message: text }))
  .optional()
  .meta({ id: 'Skipped', description: 'What of the service’s answer was not understood and is left out' });

/** A body under `data`. */
export const data = <T extends z.ZodType>(schema: T) => z.object({ data: schema });

/** An answer read from the service, with a list of the parts that could not be read. */
export const read = <T extends z.ZodType>(schema: T) => z.object({ data: schema, skipped: skippedSchema });

/** A page of a list: at most `limit` elements after the one with the id `after`. */
export const pageQuery = {
  limit: text.regex(/^[1-9]\d{0,2}$/, 'a number from 1 to 999').optional(),
  after: text.optional(),
};

export const paged = <T extends z.ZodType>(schema: T) =>
  z.object({
    data: z.array(schema),
    total: z.number().int(),
    /** What to ask for as `after` to get the next page; absent on the last one. */
    next: text.optional(),
  });

/** A field of an own form; an optional one may be empty. */
function fieldShape(field: OwnField) {
  const { pattern, longest, optional } = field;
  const message = messageOf(field);
  return text
    .trim()
    .max(longest, { error: message, abort: true })
    .regex(new RegExp(optional ? `^$|${pattern}` : pattern), message);
}

/** The values of one of the console's own forms. */
export const formShape = <Name extends FormName>(name: Name) =>
  z.object(
    Object.fromEntries(fieldsOf(name).map(([id, own]) => [id, fieldShape(own)])) as Record<
      keyof OwnValues<Name>,
      z.ZodString
    >, // made from exactly its fields
  );
