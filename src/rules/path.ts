import { ExactNumber } from '#contract/json.ts';
import { memberOf } from '#contract/member.ts';

/** Returns the value at a dotted path of a body, undefined if there is none. */
const valueAt = (body: unknown, path: string): unknown => path.split('.').reduce(memberOf, body);

/** Returns the text at a dotted path of a body, a number there with its digits; '' if there is neither. */
export function textAt(body: unknown, path: string): string {
  const found = valueAt(body, path);
  const isText = typeof found === 'string' || typeof found === 'number' || found instanceof ExactNumber;
  return isText ? String(found) : '';
}
