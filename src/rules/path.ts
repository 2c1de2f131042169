import { ExactNumber } from '#contract/json.ts';

const member = (holder: unknown, name: string): unknown =>
  typeof holder === 'object' && holder !== null && Object.hasOwn(holder, name)
    ? (holder as Record<string, unknown>)[name] // an object that has the member
    : undefined;

/** Returns the value at a dotted path of a body, undefined if there is none. */
const valueAt = (body: unknown, path: string): unknown => path.split('.').reduce(member, body);

/** Returns the text at a dotted path of a body, a number there with its digits; '' if there is neither. */
export function textAt(body: unknown, path: string): string {
  const found = valueAt(body, path);
  const isText = typeof found === 'string' || typeof found === 'number' || found instanceof ExactNumber;
  return isText ? String(found) : '';
}
