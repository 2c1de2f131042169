import { ExactNumber, type Json } from '#contract/json.ts';
import type { Form, Values } from './field.ts';

/** Returns the value at a dotted path of a body; a group is a list of one object. */
function at(body: Json | undefined, path: readonly string[]): Json | undefined {
  const [head, ...rest] = path;
  const value = Array.isArray(body) ? body[0] : body;
  if (head === undefined) return value;
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof ExactNumber)
    return undefined;
  if (!Object.hasOwn(value, head)) return undefined;
  return at(value[head], rest);
}

/** Returns the values of a form's fields from a body such as `additionalData`; missing ones are left out. */
export const valuesIn = (form: Form, body: Json): Values =>
  Object.fromEntries(
    form.fields.flatMap(({ id, paths }) => {
      const value = at(body, (paths[0] ?? '').split('.'));
      if (value instanceof ExactNumber) return [[id, value.digits]];
      return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? [[id, String(value)]]
        : [];
    }),
  );
