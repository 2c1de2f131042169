import type { Deps } from './deps.ts';
import type { Scope, Scopes } from './store/scopes.ts';

type Here = Pick<Deps, 'scope' | 'store'>;

/** The contents of a scope: an organisation with its signing key and, if it has one, a company. */
interface Made {
  organisationId: string;
  companySigningKey: string;
  companyId?: string;
  companyName?: string;
}

/** Whether a scope belongs to this organisation and, if given, this company. */
const isOf = (scope: Scope, { organisationId, companyId = '' }: Made): boolean =>
  scope.organisationId === organisationId && (companyId === '' || scope.companyId === companyId);

/**
 * Uses the current scope if it holds no organisation yet, otherwise a new scope, so that the existing one keeps its
 * data.
 */
async function keepNew({ scope, store: { scopes } }: Here, made: Made): Promise<string> {
  const { organisationId = '', companyId = '' } = await scopes.read(scope);
  const isFree = organisationId === '' || (organisationId === made.organisationId && companyId === '');
  const at = isFree ? scope : scopes.make();
  await scopes.write(at, { ...made, entering: 'true' });
  await enter(scopes, at);
  return at;
}

/** Makes a scope current. Its settings say that this is to come until it is done, as the process may end before. */
async function enter(scopes: Scopes, scope: string): Promise<void> {
  await scopes.select(scope);
  await scopes.write(scope, { entering: '' });
}

/**
 * Stores a new organisation or company and makes it current. Returns the scope that is current afterwards. A repeat
 * changes nothing once it has become current: the user may have moved on since the answer was lost.
 */
export const keepMade = (here: Here, made: Made): Promise<string> => {
  const { scopes } = here.store;
  return scopes.inTurn(async () => {
    const kept = (await scopes.list()).find((scope) => isOf(scope, made));
    if (!kept) return keepNew(here, made);
    if ((await scopes.read(kept.scope)).entering === 'true') await enter(scopes, kept.scope);
    return scopes.current();
  });
};

/**
 * Stores an organisation, and its company if there is one, that was created elsewhere or before, makes it current and
 * returns its scope. Its existing records are found again; the signing key replaces that of all its companies. The
 * caller must have obtained a token for it first.
 */
export const keepEntered = (here: Here, entered: Made): Promise<string> => {
  const { scopes } = here.store;
  const { organisationId, companySigningKey } = entered;
  return scopes.inTurn(async () => {
    const all = await scopes.list();
    for (const { scope } of all.filter((each) => each.organisationId === organisationId))
      await scopes.write(scope, { companySigningKey });
    const known = all.find((scope) => isOf(scope, entered));
    if (!known) return keepNew(here, entered);
    await scopes.select(known.scope);
    return known.scope;
  });
};
