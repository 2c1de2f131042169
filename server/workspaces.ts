import type { Context } from 'koa';
import { scopeHeader } from '#contract/constants.ts';
import { Failure } from './failure.ts';
import type { Scopes } from './store/scopes.ts';

/** Whose records they are while nobody signs in, and those that belong to nobody else. */
export const defaultWorkspace = 'default';

/**
 * Makes a value once for each name of a workspace or of a scope: what the requests for one share must not be shared with
 * another's.
 */
export function perName<Value>(make: (name: string) => Value): (name: string) => Value {
  const made = new Map<string, Value>();
  return (name) => {
    const value = made.get(name) ?? make(name);
    made.set(name, value);
    return value;
  };
}

/** The scope that a request is for. Throws `company-unknown` if its header names one of which nothing is kept. */
export async function scopeOf(ctx: Context, scopes: Scopes): Promise<string> {
  const named = ctx.get(scopeHeader);
  const current = await scopes.current();
  if (named === '' || named === current) return current;
  if ((await scopes.list()).some(({ scope }) => scope === named)) return named;
  throw new Failure(
    'company-unknown',
    'This page shows a company that was removed meanwhile; nothing was sent. Reload the page: it will show the current company.',
  );
}
