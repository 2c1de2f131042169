import { textOrEmpty } from '#contract/text.ts';
import { isObject, jsonIn } from '#contract/json.ts';

/** Maximum number of sentences of one kind, and maximum depth of the members checked. */
const maximumFaults = 20;
const maximumDepth = 6;

/** Returns a sentence for each unknown member of a body. `accepted` is the result of parsing `received` by its schema. */
export function unknownIn(received: unknown, accepted: unknown, path = '', depth = 0): string[] {
  if (depth > maximumDepth) return [];
  if (Array.isArray(received) && Array.isArray(accepted))
    return received
      .slice(0, maximumFaults)
      .flatMap((each, index) => unknownIn(each, accepted[index], `${path}.${index}`, depth + 1))
      .slice(0, maximumFaults);
  if (!isObject(received) || !isObject(accepted)) return [];
  const found: string[] = [];
  for (const [name, value] of Object.entries(received)) {
    const at = path === '' ? name : `${path}.${name}`;
    if (Object.hasOwn(accepted, name)) found.push(...unknownIn(value, accepted[name], at, depth + 1));
    else found.push(`Unknown field ${at}: this call has none, it is ignored`);
    if (found.length >= maximumFaults) break;
  }
  return found.slice(0, maximumFaults);
}

/** Maximum number of characters of an answer that are searched for errors. */
export const maximumSearched = 256 * 1024;

/** Returns the faults that an answer reports: a problem, or the errors of a batch, each with the violated rule. */
export function faultsIn(body: string): string[] {
  if (body.length > maximumSearched || !body.startsWith('{')) return [];
  const answer = jsonIn(body);
  const { error, detail, errors } = isObject(answer) ? answer : {};
  const list = isObject(error) ? error['detail'] : errors;
  const each = (Array.isArray(list) ? list : []).slice(0, maximumFaults).flatMap((fault) => {
    if (!isObject(fault)) return [];
    const place = textOrEmpty(fault['path'] ?? fault['target']);
    const id = textOrEmpty(fault['ruleId'] ?? fault['sourceId']);
    const rule = id ? `Rule ${id} is broken: ` : '';
    return [`${rule}${[place, textOrEmpty(fault['message'])].filter(Boolean).join(': ')}`];
  });
  if (each.length > 0) return each;
  const said =
    typeof detail === 'string' ? detail : isObject(error) ? textOrEmpty(error['message']) : textOrEmpty(error);
  return said === '' ? [] : [said];
}
