import { isSameId } from './companyList.ts';
import type { CompanyContext } from './companyContext.ts';
import { replaceSigningKey } from './signingKey.ts';
import type { Scope } from './companyList.ts';

type Here = Pick<CompanyContext, 'scope' | 'store'>;

/** The contents of a scope: an organisation with its signing key and, if it has one, a company. */
type Created = {
  organisationId: string;
  companySigningKey: string;
  companyId?: string;
  companyName?: string;
};

/** Whether a scope belongs to this organisation and, if given, this company. */
const isOf = (scope: Scope, { organisationId, companyId = '' }: Created): boolean =>
  isSameId(scope.organisationId, organisationId) && (companyId === '' || isSameId(scope.companyId, companyId));

/**
 * Stores an organisation or company in the current scope if that is free, otherwise in a new scope, so that existing
 * data are kept, and makes the scope current. Returns the scope.
 */
async function addCompany({ scope, store: { scopes } }: Here, created: Created): Promise<string> {
  const { organisationId = '', companyId = '' } = await scopes.read(scope);
  const isFree = organisationId === '' || (isSameId(organisationId, created.organisationId) && companyId === '');
  const at = isFree ? scope : scopes.make();
  await scopes.write(at, created);
  await scopes.select(at);
  return at;
}

/**
 * Stores a newly created organisation or company and makes it current. Returns the scope that is current afterwards.
 * Selects nothing if the organisation or company has been current before: the user may have selected another one since
 * the answer was lost. A key that the organisation has not had replaces that of all its companies.
 */
export const addCreatedCompany = (here: Here, created: Created): Promise<string> => {
  const { scopes } = here.store;
  const { organisationId, companySigningKey } = created;
  return scopes.transaction(async () => {
    const kept = (await scopes.list()).find((scope) => isOf(scope, created));
    if (!kept) return addCompany(here, created);
    const { companySigningKey: current, previousSigningKey } = await scopes.read(kept.scope);
    if (companySigningKey !== current && companySigningKey !== previousSigningKey)
      await replaceSigningKey(scopes, organisationId, companySigningKey);
    return scopes.current();
  });
};

/**
 * Stores an existing organisation, and its company if given, makes it current and returns its scope. Uses the scope
 * that already holds its records, if any; the signing key replaces that of all its companies. The caller must have
 * obtained a token with the key beforehand.
 */
export const addExistingCompany = (here: Here, entered: Created): Promise<string> => {
  const { scopes } = here.store;
  const { organisationId, companySigningKey } = entered;
  return scopes.transaction(async () => {
    const all = await scopes.list();
    await replaceSigningKey(scopes, organisationId, companySigningKey);
    const known = all.find((scope) => isOf(scope, entered));
    if (!known) return addCompany(here, entered);
    await scopes.select(known.scope);
    return known.scope;
  });
};
