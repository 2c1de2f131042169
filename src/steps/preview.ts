import type { AnyMachineSnapshot } from 'xstate';
import type { Facts } from '#contract/facts.ts';
import type { ServiceRequest } from '#contract/requests/requests.ts';
import type { FormState } from '#machines/lib/form.ts';

/** The request that the page would send now. */
export interface Preview {
  request: ServiceRequest;
  /** Dotted path in the body of the value that a form field sets; undefined if it sets none. */
  lineOf: (field: string) => string | undefined;
  /** Values that are known only when the request is sent, described in words. */
  later?: string;
}

/**
 * `key` is the placeholder of the idempotency key, which the server creates when the request is sent; `own` is that of
 * a key created by the page, which is also the id of the created record.
 */
export type PreviewOf = (snapshot: AnyMachineSnapshot, facts: Facts, key: string, own: string) => Preview | null;

/** The context of a journey's snapshot; each journey is paired with its own preview. */
export const contextIn = <Context>({ context }: AnyMachineSnapshot) => context as Context; // a snapshot of that journey's machine

/** For a request without a form. */
export const nothing = () => undefined;

/**
 * The dotted path of a rule's value in a body: takes the first element of a list, and stops at a text, which contains
 * the rest.
 */
function placed(body: unknown, path: string): string {
  const steps: string[] = [];
  let here = body;
  const go = (step: string) => {
    steps.push(step);
    here = (here as Record<string, unknown>)[step]; // an object or a list
  };
  for (const step of path.split('.')) {
    if (Array.isArray(here)) go('0');
    if (typeof here !== 'object' || here === null) break;
    go(step);
  }
  return steps.join('.');
}

/** Maps the fields of the rules to their paths in a request's body. */
export const byPaths =
  ({ form }: FormState, lead: string, { body }: ServiceRequest) =>
  (field: string): string | undefined => {
    const path = form.fields.find(({ id }) => id === field)?.paths[0];
    return path === undefined ? undefined : placed(body, `${lead}${path}`);
  };
