import { ExactNumber, isObject, stringify } from '#contract/json.ts';
import { Failure } from '#server/failure.ts';
import type { Write } from '#server/storage/writes.ts';

/** Maximum number of differences named, and of characters of a member's name in a path. */
const [maximumNamed, maximumName] = [10, 60];

const nameOf = (name: string): string => name.replace(/[\p{C}.]/gu, '?').slice(0, maximumName);

/** Yields the paths at which two values differ; a part that only one of them has is named without its members. */
function* differences(one: unknown, other: unknown, path = ''): Generator<string, void> {
  const areLists = Array.isArray(one) && Array.isArray(other);
  const areObjects = isObject(one) && isObject(other) && !(one instanceof ExactNumber || other instanceof ExactNumber);
  if (!areLists && !areObjects) {
    if (stringify(one ?? null) !== stringify(other ?? null)) yield path;
    return;
  }
  const [some, others] = [one, other] as Record<string, unknown>[];
  for (const name of new Set([...Object.keys(some!), ...Object.keys(others!)].sort()))
    yield* differences(some![name], others![name], path === '' ? nameOf(name) : `${path}.${nameOf(name)}`);
}

/**
 * Returns the failure for a key that was used for another request, which is named as far as it is known: `before` is its
 * row, `first` its body.
 */
export function conflict(call: string, body: unknown, before?: Write, first?: unknown): Failure {
  const used = 'This idempotency key came with another request before';
  const advice = 'Use a new key, or send the same request again.';
  if (before && before.call !== '' && before.call !== call)
    return new Failure('idempotency-conflict', `${used}: ${before.call}. ${advice}`);
  const paths = first === undefined ? [] : [...differences(first, body)];
  if (paths.length === 0) return new Failure('idempotency-conflict', `${used}. ${advice}`);
  const named = paths.slice(0, maximumNamed).map((path) => path || 'the body');
  const more = paths.length > maximumNamed ? `, and ${paths.length - maximumNamed} more` : '';
  return new Failure('idempotency-conflict', `${used}. It differs in ${named.join(', ')}${more}. ${advice}`, {
    errors: paths
      .slice(0, maximumNamed)
      .map((path) => ({ path: path || 'body', message: 'differs from the request that came first' })),
  });
}
