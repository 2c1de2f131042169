import type { Context } from 'koa';
import { scopeHeader } from '#contract/constants.ts';
import { Failure } from './failure.ts';
import type { Scopes } from './store/scopes.ts';

/** The workspace used while nobody signs in, and for records that belong to nobody. */
export const defaultWorkspace = 'default';

/** Makes one value for each name of a workspace or scope, so that requests for different ones share nothing. */
export function perName<Value>(make: (name: string) => Value): (name: string) => Value {
  const made = new Map<string, Value>();
  return (name) => {
    const value = made.get(name) ?? make(name);
    made.set(name, value);
    return value;
  };
}

/** The scope of a request. Throws `company-unknown` if its header names an unknown one. */
export const scopeOf = (ctx: Context, scopes: Scopes): Promise<string> => knownScope(ctx.get(scopeHeader), scopes);

/** The scope of this name, the current one for ''. Throws `company-unknown` if there is none. */
export async function knownScope(named: string, scopes: Scopes): Promise<string> {
  const current = await scopes.current();
  if (named === '' || named === current) return current;
  if ((await scopes.list()).some(({ scope }) => scope === named)) return named;
  throw new Failure(
    'company-unknown',
    'This page shows a company that was removed meanwhile; nothing was sent. Reload the page: it will show the current company.',
  );
}
