import type { Context } from 'koa';
import { scopeHeader } from '#contract/constants.ts';
import { Failure } from '#server/failure.ts';
import type { Scopes } from './companyList.ts';

/** Returns the scope named in a request's header. Throws `company-unknown` if there is no such scope. */
export const scopeOf = (ctx: Context, scopes: Scopes): Promise<string> => knownScope(ctx.get(scopeHeader), scopes);

/** Returns the scope with this name, or the current one for ''. Throws `company-unknown` if there is none. */
export async function knownScope(named: string, scopes: Scopes): Promise<string> {
  const current = await scopes.current();
  if (named === '' || named === current) return current;
  if ((await scopes.list()).some(({ scope }) => scope === named)) return named;
  throw new Failure('company-unknown', 'The request names a company that this console does not keep.');
}
