import { z } from 'zod';
import { type FormName, type OwnField, type OwnValues, fieldsOf, messageOf } from './forms.ts';
import { entered, lengthOf, trimmed } from './text.ts';
import { ExactNumber, isObject, type Json } from './json.ts';
import { shapeError } from './shapeError.ts';

/**
 * Building blocks of the schemas. Answers of the service are read by loose objects, because they may contain more than
 * the specification documents (wire, section 8).
 */

export const text = z.string();
export const filled = text.overwrite(trimmed).min(1, 'a value is required');

/** A text of at most `longest` characters; like JSON Schema, it counts code points. */
export const atMost = (
  longest: number,
  error = `at most ${longest} characters`,
  base: z.ZodString | z.ZodEmail = text,
): z.ZodString =>
  (base as z.ZodString) // both check texts
    .check(({ value, issues }) => {
      if (lengthOf(value) > longest)
        issues.push({
          code: 'too_big',
          origin: 'string',
          maximum: longest,
          message: error,
          input: value,
          continue: false,
        });
    })
    .meta({ maxLength: longest });

/**
 * Any JSON value, not validated: a parser produces nothing else, and validating a million elements would take seconds.
 */
export const jsonSchema = z.any() as z.ZodType<Json, Json>; // produced by the parser

/** A number in any JSON notation, such as 1e3, 60000.0 or 0.50. */
export const inAnyNotation = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value instanceof ExactNumber ? Number(value.digits) : value), schema);

/**
 * The member that identifies an element of a list. If two elements have the same value, the second is skipped on
 * reading.
 */
export const identities = z.registry<{ member: string }>();

/** Declares the member that identifies an element. */
export const identified = <Schema extends z.ZodType>(member: string, schema: Schema): Schema => {
  identities.add(schema, { member });
  return schema;
};

/** The parts of an answer of the service that were not understood: path and reason. */
export const skippedSchema = z
  .array(z.object({ path: text, message: text }))
  .optional()
  .meta({ id: 'Skipped', description: 'Parts of the service’s response that could not be read and are omitted' });

/** A body wrapped in `data`. */
export const data = <T extends z.ZodType>(schema: T) => z.object({ data: schema });

/**
 * A body as the specification prints it, or the same wrapped in `data`; parses both to the wrapped one. Refuses a
 * wrapped body that has a member of the printed one as well, because only one of the two could be meant.
 */
export function printedOrWrapped<Content extends z.ZodObject>(content: Content) {
  const wrapped = data(content);
  const forms = [content, wrapped].map((form) => z.toJSONSchema(form, { io: 'input' }));
  return (
    z
      .custom<z.input<Content> | z.input<typeof wrapped>>()
      // JSON Schema 2020-12, which OpenAPI 3.1 takes as it is; their types differ in what may be undefined.
      .meta({ override: { oneOf: forms.map(({ $schema: _, ...form }) => form) as never[] } })
      .transform((body, context): z.output<typeof wrapped> => {
        const isWrapped = isObject(body) && Object.hasOwn(body, 'data');
        const beside = isWrapped ? Object.keys(content.shape).filter((member) => Object.hasOwn(body, member)) : [];
        for (const member of beside)
          context.addIssue({
            code: 'custom',
            path: [member],
            message: 'is given beside data: give all members within data, or all without it',
          });
        const parsed = wrapped.safeParse(isWrapped ? body : { data: body }, { error: shapeError });
        if (parsed.success) return parsed.data;
        for (const { path, message } of parsed.error.issues)
          context.addIssue({ code: 'custom', path: isWrapped ? path : path.slice(1), message });
        return z.NEVER;
      })
  );
}

/** Data read from the service, with the parts that could not be read. */
export const read = <T extends z.ZodType>(schema: T) => z.object({ data: schema, skipped: skippedSchema });

/** The query of a read whose answer can also contain what the service sent. */
export const rawQuery = { raw: text.regex(/^true$/, 'true, or nothing').optional() };

/**
 * The JSON text of the service's answer, as sent except for blanks and the spelling of characters; for display. Present
 * if the query asks for it.
 */
export const rawSchema = text.optional().meta({ description: 'The service’s response as JSON text, with `raw=true`' });

/** The query of a page of a list: at most `limit` elements after the one with the id `after`. */
export const pageQuery = {
  limit: text.regex(/^[1-9]\d{0,2}$/, 'a number from 1 to 999').optional(),
  after: text.optional(),
};

export const paged = <T extends z.ZodType>(schema: T) =>
  z.object({
    data: z.array(schema),
    total: z.number().int(),
    /** The value of `after` for the next page; absent on the last page. */
    next: text.optional(),
  });

/** The shape of a field of one of the console's own forms; an optional field may be empty. */
function fieldShape(field: OwnField) {
  const { pattern, longest, optional } = field;
  const message = messageOf(field);
  const regex = new RegExp(optional ? `^$|${pattern}` : pattern, 'u');
  return atMost(longest, message, text.overwrite(entered)).regex(regex, message);
}

/** The shape of the values of one of the console's own forms. */
export const formShape = <Name extends FormName>(name: Name) =>
  z.object(
    Object.fromEntries(fieldsOf(name).map(([id, own]) => [id, fieldShape(own)])) as Record<
      keyof OwnValues<Name>,
      z.ZodString
    >, // made from exactly these fields
  );

/** The query of a call that creates what a user is asked about if there is one already. */
export const besideQuery = {
  beside: text.optional().meta({
    description:
      'The id of the one that the caller knows, empty for none: if a different one was created meanwhile, or one is being created, nothing is created (`exists-already`)',
  }),
  despite: text.optional().meta({
    description:
      'With `beside`: the `despite` of an `exists-already`, which names earlier requests with an unknown outcome, creates one nevertheless',
  }),
};
