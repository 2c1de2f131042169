import type { Deps } from './deps.ts';
import type { Scope } from './store/scopes.ts';

type Here = Pick<Deps, 'scope' | 'store'>;

/** What makes a scope: an organisation with its signing key and, if it has one, a company. */
interface Made {
  organisationId: string;
  companySigningKey: string;
  companyId?: string;
  companyName?: string;
}

/** Whether a scope is the organisation's, and the company's if there is one. */
const isOf = (scope: Scope, { organisationId, companyId = '' }: Made): boolean =>
  scope.organisationId === organisationId && (companyId === '' || scope.companyId === companyId);

/**
 * Where the page is if there is none yet, so that what was made before it stays; else in a scope of its own, so that the
 * other one keeps what it has.
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
 * Keeps an organisation or a company that was made, and makes it current; gives the scope that is current then. A
 * repeat, after the answer was lost, may find that the user has gone on: it changes nothing.
 */
export const keepMade = (here: Here, made: Made): Promise<string> => {
  const { scopes } = here.store;
  return scopes.inTurn(async () => {
    const isKept = (await scopes.list()).some((scope) => isOf(scope, made));
    return isKept ? scopes.current() : keepNew(here, made);
  });
};

/**
 * Takes up an organisation, and its company if there is one, that was made elsewhere or before, and makes it current;
 * gives its scope. What is kept of it is found again; the signing key replaces the one of all its companies. The service
 * must have given a token for it.
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
