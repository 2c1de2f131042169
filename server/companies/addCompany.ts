import { isSameId } from './comparableText.ts';
import type { Store } from './companyStore.ts';
import type { ListedCompany } from './companyList.ts';

/** What is known of a company at first: an organisation with its signing key and, if it has one, a company. */
type Created = {
  organisationId: string;
  companySigningKey: string;
  companyId?: string;
  companyName?: string;
};

/** Whether a company belongs to this organisation and, if given, this company. */
const isOf = (kept: ListedCompany, { organisationId, companyId = '' }: Created): boolean =>
  isSameId(kept.organisationId, organisationId) && (companyId === '' || isSameId(kept.companyId, companyId));

/**
 * Stores an organisation or company under the current key if that is free, otherwise under a new one, so that existing
 * data are kept, and makes it current. Returns the key.
 */
async function addCompany({ companyKey, companies }: Store, created: Created): Promise<string> {
  const { organisationId = '', companyId = '' } = await companies.read(companyKey);
  const isFree = organisationId === '' || (isSameId(organisationId, created.organisationId) && companyId === '');
  const at = isFree ? companyKey : companies.make();
  await companies.write(at, created);
  await companies.select(at);
  return at;
}

/**
 * Stores a newly created organisation or company and makes it current. Returns the key of the current company afterwards.
 * Selects nothing if the organisation or company has been current before: the user may have selected another one since
 * the answer was lost. A signing key that the organisation has not had replaces that of all its companies.
 */
export const addCreatedCompany = (store: Store, created: Created): Promise<string> => {
  const { companies } = store;
  const { companySigningKey } = created;
  return companies.transaction(async () => {
    const kept = (await companies.list()).find((each) => isOf(each, created));
    if (!kept) return addCompany(store, created);
    const { companySigningKey: current, previousSigningKey } = await companies.read(kept.companyKey);
    if (companySigningKey !== current && companySigningKey !== previousSigningKey)
      await companies.write(kept.companyKey, { companySigningKey });
    return companies.current();
  });
};

/**
 * Stores an existing organisation, and its company if given, makes it current and returns its key. Uses the company
 * that has its records already, if any; the signing key replaces that of all its companies. The caller must have
 * obtained a token with the key beforehand.
 */
export const addExistingCompany = (store: Store, entered: Created): Promise<string> => {
  const { companies } = store;
  return companies.transaction(async () => {
    const known = (await companies.list()).find((each) => isOf(each, entered));
    if (!known) return addCompany(store, entered);
    await companies.write(known.companyKey, { companySigningKey: entered.companySigningKey });
    await companies.select(known.companyKey);
    return known.companyKey;
  });
};
