import type { BatchRequest } from '../payment.ts';
import type { Body, ParsedBody } from '../shapes.ts';
import { batchBody } from './batchBody.ts';
import { createSubscriptionPath, endpoints, header, type MessageKind } from './endpoints.ts';

/** The service's hosts; the configuration has an address for each (wire, section 1). */
type Host = 'consumer' | 'messaging' | 'network' | 'auth' | 'userInfo';

/** The addresses of the service's hosts, without trailing slashes, and the console's application id; no secrets. */
export type Service = Record<Host, string> & { applicationId: string };

/** The owner of the token in a request (wire, section 2.2). */
type TokenOf = 'organisation' | 'company' | 'user';

/**
 * How a request is authenticated besides its token: by the API key, or by a signature with the signing key of the
 * application or the organisation (wire, section 2.2). `none`: by its token only.
 */
type Proof = 'apiKey' | 'applicationSignature' | 'organisationSignature' | 'none';

/** A request to the service without its credentials. The server sends it; the page previews it. */
export interface ServiceRequest {
  method: 'GET' | 'POST' | 'PATCH';
  host: Host;
  /** Includes the query. */
  path: string;
  /** A JSON value. */
  body?: unknown;
  proof: Proof;
  token?: TokenOf;
  /** Headers other than the credentials. */
  headers: Readonly<Record<string, string>>;
}

const idempotent = (key: string) => ({ [header.idempotency]: key });
const content = { 'content-type': 'application/json' };

const read = (path: string, token?: TokenOf): ServiceRequest => ({
  method: 'GET',
  host: 'consumer',
  path,
  proof: 'apiKey',
  ...(token && { token }),
  headers: {},
});

const write = (path: string, body: unknown, headers = {}): ServiceRequest => ({
  method: 'POST',
  host: 'consumer',
  path,
  body,
  proof: 'apiKey',
  token: 'company',
  headers: { ...content, ...headers },
});

const inLanguage = (language: string, host: Host, path: string): ServiceRequest => ({
  ...read(path),
  host,
  headers: language ? { [header.language]: language } : {},
});
const inCountry = (path: string, country: string) =>
  country ? `${path}?country=${encodeURIComponent(country)}` : path;

/** Country (alpha-2) and language of definitions; with '' the service chooses. */
export interface Locale {
  country: string;
  language: string;
}

/** Builds the requests to the service from the input of the console's calls. `key` is the idempotency key. */
export const requests = {
  /** The service requires an alphanumeric external id (wire, section 2.3); a repeat must send the same one. */
  createOrganisation: (body: Body<'createOrganisation'>, key: string): ServiceRequest => ({
    method: 'POST',
    host: 'auth',
    path: endpoints.createOrganisation,
    body: { ...body, externalId: key.replaceAll('-', '') },
    proof: 'applicationSignature',
    headers: { ...content, ...idempotent(key) },
  }),
  createCompany: (body: Body<'createCompany'>, key: string): ServiceRequest => ({
    method: 'POST',
    host: 'auth',
    path: endpoints.createCompany,
    body,
    proof: 'organisationSignature',
    token: 'organisation',
    headers: { ...content, ...idempotent(key) },
  }),
  /** Requests a company's token, or the organisation's if `companyId` is ''. */
  accessToken: (organisationId: string, companyId: string, method: 'GET' | 'POST' = 'POST'): ServiceRequest => ({
    method,
    host: 'auth',
    path: endpoints.accessToken,
    proof: 'organisationSignature',
    headers: {
      ...content,
      [header.organisation]: organisationId,
      ...(companyId && { [header.company]: companyId }),
    },
  }),
  createAccount: (body: ParsedBody<'createAccount'>, key: string): ServiceRequest => ({
    ...write(endpoints.accounts, body, idempotent(key)),
    host: 'network',
    token: 'user',
  }),
  createDataset: (body: ParsedBody<'createDataset'>, key: string): ServiceRequest => ({
    ...write(endpoints.datasets, body, idempotent(key)),
    host: 'network',
    token: 'user',
  }),
  /** Sent without the API key, which the identity provider did not issue. */
  userInfo: (): ServiceRequest => ({ ...read('', 'user'), host: 'userInfo', proof: 'none' }),
  createSubscription: (organisationId: string, body: Body<'createSubscription'>, key: string): ServiceRequest =>
    write(createSubscriptionPath(organisationId), body, idempotent(key)),
  subscription: (id: string): ServiceRequest => read(`${endpoints.subscriptions}/${encodeURIComponent(id)}`, 'company'),
  patchSubscription: (id: string, body: Body<'patchSubscription'>): ServiceRequest => ({
    ...write(`${endpoints.subscriptions}/${encodeURIComponent(id)}`, body),
    method: 'PATCH',
  }),
  /** `key`, a UUID, is also the interaction id. */
  message: (kind: MessageKind, data: unknown, key: string): ServiceRequest => ({
    ...write(`${endpoints.messaging}/${kind}`, { data }, { ...idempotent(key), [header.interaction]: key }),
    host: 'messaging',
  }),
  createBatch: (batch: BatchRequest, key: string): ServiceRequest =>
    write(endpoints.batches, { data: batchBody(batch) }, idempotent(key)),
  /** The language is that of its errors; with '' the service chooses. */
  batch: (id: string, language = ''): ServiceRequest => ({
    ...inLanguage(language, 'consumer', `${endpoints.batches}/${encodeURIComponent(id)}`),
    token: 'company',
  }),
  providers: ({ country, language }: Locale) =>
    inLanguage(language, 'consumer', inCountry(endpoints.providers, country)),
  provider: (id: string, language: string) =>
    inLanguage(language, 'consumer', `${endpoints.providers}/${encodeURIComponent(id)}`),
  localInstruments: (language: string) => inLanguage(language, 'consumer', endpoints.localInstruments),
  fileFormats: ({ country, language }: Locale) =>
    inLanguage(language, 'consumer', inCountry(endpoints.fileFormats, country)),
  banks: () => read(endpoints.banks),
  translation: (key: string, language: string) =>
    inLanguage(language, 'consumer', `${endpoints.translations}/${encodeURIComponent(key)}`),
  health: (api: 'consumer' | 'messaging') =>
    inLanguage('', api, api === 'consumer' ? endpoints.consumerStatus : endpoints.messagingStatus),
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
  const signed = proof === 'applicationSignature' || proof === 'organisationSignature';
  const all: Record<string, string> = {};
  if (proof !== 'none') all[header.application] = applicationId;
  if (proof === 'apiKey') all[header.apiKey] = apiKey;
  if (token !== undefined) all['authorization'] = `Bearer ${token}`;
  if (signed) Object.assign(all, { [header.nonce]: nonce, [header.signature]: signature });
  return Object.assign(all, headers);
}
