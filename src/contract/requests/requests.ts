import type { BatchRequest } from '../payment.ts';
import type { Body, ParsedBody } from '../shapes.ts';
import { batchBody } from './batchBody.ts';
import { pathOf, proofs, serviceCall, type Host, type Proof, type ServiceOperation } from '../serviceCalls.ts';
import { header } from './headers.ts';
import type { MessageKind } from '../serviceCalls.ts';

/** The addresses of the service's hosts, without trailing slashes, and the console's application id; no secrets. */
export type Service = Record<Host, string> & { applicationId: string };

/** A request to the service without its credentials. The server sends it; the page previews it. */
export interface ServiceRequest {
  operation: ServiceOperation;
  method: 'GET' | 'POST' | 'PATCH';
  host: Host;
  /** Includes the query. */
  path: string;
  /** A JSON value. */
  body?: unknown;
  proof: Proof;
  /** Headers other than the credentials. */
  headers: Readonly<Record<string, string>>;
}

/** What a request says beside what all requests of its operation have in common. */
interface Said {
  ids?: readonly string[];
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  /** The idempotency key of a write; that of a message, a UUID, is also its interaction id. */
  key?: string;
  /** With '' the service chooses. */
  language?: string;
  headers?: Readonly<Record<string, string>>;
}

/** Builds a request of an operation; parameters of the query that are '' are left out. */
function request<Name extends ServiceOperation>(
  operation: Name,
  said: Said = {},
): ServiceRequest & { operation: Name } {
  const { methods, host, proof, writes } = serviceCall(operation);
  const { ids = [], query = {}, body, key = '', language = '', headers = {} } = said;
  const [method = 'GET'] = methods;
  const given = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''));
  return {
    operation,
    method,
    host,
    // The configured address of the user info is its whole address.
    path: host === 'userInfo' ? '' : `${pathOf(operation, ...ids)}${given.size > 0 ? '?' : ''}${given}`,
    ...(body !== undefined && { body }),
    proof,
    headers: {
      ...(method !== 'GET' && { 'content-type': 'application/json' }),
      ...(writes && { [header.idempotency]: key }),
      ...(writes === 'message' && { [header.interaction]: key }),
      ...(language && { [header.language]: language }),
      ...headers,
    },
  };
}

/** Country (alpha-2) and language of definitions; with '' the service chooses. */
export interface Locale {
  country: string;
  language: string;
}

/** Builds the requests to the service from the input of the console's calls. `key` is the idempotency key. */
export const requests = {
  /** The service requires an alphanumeric external id (wire, section 2.3); a repeat must send the same one. */
  createOrganisation: (body: Body<'createOrganisation'>, key: string) =>
    request('createOrganisation', { body: { ...body, externalId: key.replaceAll('-', '') }, key }),
  createCompany: (body: Body<'createCompany'>, key: string) => request('createCompany', { body, key }),
  /** Requests a company's token, or the organisation's if `companyId` is ''. */
  accessToken: (organisationId: string, companyId: string, method: 'GET' | 'POST' = 'POST'): ServiceRequest => ({
    ...request('accessToken', {
      headers: { [header.organisation]: organisationId, ...(companyId && { [header.company]: companyId }) },
    }),
    method,
  }),
  createAccount: (body: ParsedBody<'createAccount'>, key: string) => request('createAccount', { body, key }),
  createDataset: (body: ParsedBody<'createDataset'>, key: string) => request('createDataset', { body, key }),
  userInfo: () => request('userInfo'),
  createSubscription: (organisationId: string, body: Body<'createSubscription'>, key: string) =>
    request('createSubscription', { ids: [organisationId], body, key }),
  subscription: (id: string) => request('subscription', { ids: [id] }),
  patchSubscription: (id: string, body: Body<'patchSubscription'>) => request('patchSubscription', { ids: [id], body }),
  message: (kind: MessageKind, data: unknown, key: string) => request(kind, { body: { data }, key }),
  createBatch: (batch: BatchRequest, key: string) => request('createBatch', { body: { data: batchBody(batch) }, key }),
  /** The language is that of its errors. */
  batch: (id: string, language = '') => request('batch', { ids: [id], language }),
  providers: ({ country, language }: Locale) => request('providers', { query: { country }, language }),
  provider: (id: string, language: string) => request('provider', { ids: [id], language }),
  localInstruments: (language: string) => request('localInstruments', { language }),
  fileFormats: ({ country, language }: Locale) => request('fileFormats', { query: { country }, language }),
  banks: () => request('banks'),
  translation: (key: string, language: string) => request('translation', { ids: [key], language }),
  /** Any operation, as it is described; `method`: one of its methods. */
  example: (operation: ServiceOperation, method: ServiceRequest['method'], said: Said): ServiceRequest => ({
    ...request(operation, said),
    method,
  }),
  health: (api: 'consumer' | 'messaging') => request(`${api}Status`),
};

/** The credentials of a request; in previews, the page uses placeholders for secrets. */
export interface Credentials {
  applicationId: string;
  apiKey: string;
  /** Absent for an unsigned request. */
  nonce?: string;
  signature?: string;
  /** Absent for a request without a token. */
  token?: string;
}

/** The headers of a request: its credentials, then its other headers. */
export function headersOf({ proof, headers }: ServiceRequest, credentials: Credentials): Record<string, string> {
  const { applicationId, apiKey, nonce = '', signature = '', token } = credentials;
  const { by } = proofs[proof];
  const all: Record<string, string> = {};
  if (by !== 'none') all[header.application] = applicationId;
  if (by === 'apiKey') all[header.apiKey] = apiKey;
  if (token !== undefined) all['authorization'] = `Bearer ${token}`;
  if (by.endsWith('Signature')) Object.assign(all, { [header.nonce]: nonce, [header.signature]: signature });
  return Object.assign(all, headers);
}
