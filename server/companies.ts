import type { Deps } from './deps.ts';
import { storedSettingsOf } from './settings.ts';

/** What makes a scope: an organisation with its signing key and, if it has one, a company. */
interface Made {
  organisationId: string;
  companySigningKey: string;
  companyId?: string;
  companyName?: string;
}

/**
 * Keeps an organisation or a company that was made, and makes it current; gives its scope. It goes where the page was if
 * there is none yet, so that what was made before it stays, else into a scope of its own, so that the other one keeps
 * what it has. A repeat, after the answer was lost, may find that the user has gone on: it changes nothing.
 */
export function keepMade({ scope, store }: Pick<Deps, 'scope' | 'store'>, made: Made): Promise<string> {
  const { scopes } = store;
  return scopes.inTurn(async () => {
    const { organisationId, companyId = '' } = made;
    const isKept = (await scopes.list()).some(
      (each) => each.organisationId === organisationId && (companyId === '' || each.companyId === companyId),
    );
    if (isKept) return scopes.current();
    const own = await storedSettingsOf(store);
    const isFree = own.organisationId === '' || (own.organisationId === organisationId && own.companyId === '');
    const at = isFree ? scope : scopes.make();
    await scopes.write(at, made);
    await scopes.select(at);
    return at;
  });
}
