import { isObject, jsonIn } from '#contract/json.ts';
import type { Form, Values } from './field.ts';
import { scalarText } from './values.ts';

/** Parses a text that contains JSON, as `additionalData` does (wire, section 5.1); returns other values unchanged. */
const opened = (value: unknown): unknown => (typeof value === 'string' ? jsonIn(value) : value);

function valueAt(body: unknown, [head, ...rest]: readonly string[]): unknown {
  if (head === undefined) return body;
  const value = opened(body);
  const holder: unknown = Array.isArray(value) ? value[0] : value;
  return isObject(holder) && Object.hasOwn(holder, head) ? valueAt(holder[head], rest) : undefined;
}

/**
 * Returns the text, number or Boolean at a dotted path of a body, as it was entered; undefined if there is none. Of a
 * list, such as a group or a batch's payments, the first element counts. A body may be a JSON text.
 */
export const enteredAt = (body: unknown, path: string): string | undefined =>
  scalarText(valueAt(body, path.split('.')));

/**
 * Returns the values of a form's fields from a body that was made of them, the reverse of `nested`. `lead` precedes
 * their paths, for example `data.`. Leaves out fields that the body lacks.
 */
export const valuesIn = ({ fields }: Form, body: unknown, lead = ''): Values =>
  Object.fromEntries(
    fields.flatMap(({ id, paths }) => {
      const value = paths.map((path) => enteredAt(body, `${lead}${path}`)).find((each) => each !== undefined);
      return value === undefined ? [] : [[id, value]];
    }),
  );
