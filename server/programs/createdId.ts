import { z } from 'zod';
import { JsonError, jsonLimits, readJson } from '#server/http/json.ts';
import { creationOf, operationOf, type Created } from '#contract/serviceCalls.ts';
import { lenientParse } from '#server/upstream/lenientParse.ts';
import { unwrapped } from '#server/upstream/replies.ts';

/** The most characters of an id that the console itself believes (`wire.ts`). */
const longest = 1000;

/**
 * Returns the kind and id of what a program's call has created at the service, read as leniently as the console's own
 * answers; undefined for any other call, and for an answer that names none.
 */
export function createdId(
  { method, path, status }: { method: string; path: string; status: number },
  answer: () => string,
): { kind: Created; id: string } | undefined {
  const operation = operationOf(method, path);
  const { kind, member } = (operation && creationOf(operation)) ?? {};
  if (kind === undefined || member === undefined || status < 200 || status > 299) return undefined;
  const id = textIn(answer(), member);
  return id?.trim() ? { kind, id } : undefined;
}

/** Returns a member of an answer as text; undefined if it has none, or is no JSON. */
function textIn(answer: string, member: string): string | undefined {
  try {
    const body = unwrapped(readJson(answer, jsonLimits.largeAnswer));
    const reading = lenientParse(z.object({ [member]: z.string().max(longest) }), body);
    return 'fault' in reading ? undefined : reading.value[member];
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}
