import type { Collections } from '../store/tenantStore.ts';

export interface Organisation {
  organisationId: string;
  applicationId: string;
  primarySigningKey: string;
}

export interface Company {
  companyId: string;
  organisationId: string;
  name: string;
}

export interface User {
  sub: string;
  email: string;
  name: string;
}

/** The organisations, by id. */
export const organisationRecords = (store: Collections) => store.collection<Organisation>('organisation');

/** The companies, by id. */
export const companyRecords = (store: Collections) => store.collection<Company>('company');

/** Returns a function for the name of a company as a page shows it, at the start of a sentence. */
export function companyNames(store: Collections) {
  const companies = companyRecords(store);
  return async (companyId: string): Promise<string> => (await companies.find(companyId))?.name.trim() || 'A company';
}

/** The nonces of signed calls. */
export const nonceRecords = (store: Collections) => store.collection<true>('nonce');

/** The users, by `sub`. */
export const userRecords = (store: Collections) => store.collection<User>('user');

/** The owners of network accounts, by {sub}/{id of the account}. */
export const accountRecords = (store: Collections) => store.collection<{ sub: string }>('account');
