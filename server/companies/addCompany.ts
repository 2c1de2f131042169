import type { CompanyContext } from './companyContext.ts';
import type { Scope } from './companyList.ts';

type Here = Pick<CompanyContext, 'scope' | 'store'>;

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
 * Stores an organisation or company in the current scope if that is free, otherwise in a new scope, so that existing
 * data are kept, and makes the scope current. Returns the scope.
 */
async function keepNew({ scope, store: { scopes } }: Here, made: Made): Promise<string> {
  const { organisationId = '', companyId = '' } = await scopes.read(scope);
  const isFree = organisationId === '' || (organisationId === made.organisationId && companyId === '');
  const at = isFree ? scope : scopes.make();
  await scopes.write(at, made);
  await scopes.select(at);
  return at;
}

/**
 * Stores a newly created organisation or company and makes it current. Returns the scope that is current afterwards.
 * Changes nothing if the organisation or company has been current before: the user may have selected another one since
 * the answer was lost.
 */
export const keepMade = (here: Here, made: Made): Promise<string> => {
  const { scopes } = here.store;
  return scopes.transaction(async () => {
    const isKept = (await scopes.list()).some((scope) => isOf(scope, made));
    return isKept ? scopes.current() : keepNew(here, made);
  });
};

/**
 * Stores an existing organisation, and its company if given, makes it current and returns its scope. Uses the scope
 * that already holds its records, if any; the signing key replaces that of all its companies. The caller must have
 * obtained a token with the key beforehand.
 */
export const keepEntered = (here: Here, entered: Made): Promise<string> => {
  const { scopes } = here.store;
  const { organisationId, companySigningKey } = entered;
  return scopes.transaction(async () => {
    const all = await scopes.list();
    for (const { scope } of all.filter((each) => each.organisationId === organisationId))
      await scopes.write(scope, { companySigningKey });
    const known = all.find((scope) => isOf(scope, entered));
    if (!known) return keepNew(here, entered);
    await scopes.select(known.scope);
    return known.scope;
  });
};
