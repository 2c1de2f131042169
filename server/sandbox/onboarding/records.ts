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

/** The nonces of signed calls. */
export const nonceRecords = (store: Collections) => store.collection<true>('nonce');

/** The users, by `sub`. */
export const userRecords = (store: Collections) => store.collection<User>('user');

/** The owners of network accounts, by {sub}/{id of the account}. */
export const accountRecords = (store: Collections) => store.collection<{ sub: string }>('account');
