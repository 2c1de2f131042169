import { z } from 'zod';

/** A path in an answer: names of members, 0 for an element of a list. */
export type Place = readonly (string | number)[];

/** A member of a reading schema; `spare` is true if its parent is valid without it. */
export interface Member {
  place: Place;
  schema: z.core.$ZodType;
  spare: boolean;
}

/** The schema inside optional, nullable and default wrappers. */
function innerOf(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return innerOf(schema.unwrap());
  return schema;
}

const isSpare = (schema: z.core.$ZodType): boolean =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;

/** An answer with all members of the schema that are not anything. */
export function wholeOf(schema: z.core.$ZodType): unknown {
  const inner = innerOf(schema);
  if (inner instanceof z.ZodObject)
    return Object.fromEntries(
      Object.entries<z.core.$ZodType>(inner.shape)
        .filter(([, member]) => !(innerOf(member) instanceof z.ZodAny))
        .map(([name, member]) => [name, wholeOf(member)]),
    );
  if (inner instanceof z.ZodArray) return [wholeOf(inner.element)];
  if (inner instanceof z.ZodRecord) return { some: wholeOf(inner.valueType) };
  const found = ['text', '1.00', 1, true, {}].find((value) => z.safeParse(inner, value).success);
  if (found === undefined) throw new Error('The schema takes none of the values that are tried');
  return found;
}

/** All members at any depth, including those of list elements. */
export function membersOf(schema: z.core.$ZodType, place: Place = []): Member[] {
  const inner = innerOf(schema);
  const own = place.length === 0 ? [] : [{ place, schema: inner, spare: isSpare(schema) || place.at(-1) === 0 }];
  if (inner instanceof z.ZodObject)
    return [
      ...own,
      ...Object.entries(inner.shape).flatMap(([name, member]) =>
        membersOf(member as z.core.$ZodType, [...place, name]),
      ), // its members are schemas
    ];
  if (inner instanceof z.ZodArray) return [...own, ...membersOf(inner.element, [...place, 0])];
  if (inner instanceof z.ZodRecord) return [...own, ...membersOf(inner.valueType, [...place, 'some'])];
  return own;
}

/** A copy of the answer with another value at the place. */
export function withAt(answer: unknown, [step, ...rest]: Place, value: unknown): unknown {
  if (step === undefined) return value;
  const changed = structuredClone(answer) as Record<string | number, unknown>; // the place leads through objects and lists
  changed[step] = withAt(changed[step], rest, value);
  return changed;
}

export const valueAt = (answer: unknown, place: Place): unknown =>
  place.reduce((holder, step) => (holder as Record<string | number, unknown> | undefined)?.[step], answer); // as above
