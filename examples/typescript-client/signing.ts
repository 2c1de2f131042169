import { createHmac, randomUUID } from 'node:crypto';
import type { Middleware } from 'openapi-fetch';

/** What calls are authenticated by. The keys and tokens of onboarding are added as they are obtained. */
export interface Credentials {
  applicationId: string;
  apiKey: string;
  /** Of the application; signs the creation of an organisation. */
  signingKey: string;
  /** Of the organisation; signs all other calls of the auth service. */
  organisationKey?: string;
  /** Of the organisation, for the creation of companies. */
  organisationToken?: string;
  /** Of the company, for everything else. */
  companyToken?: string;
}

/** RFC 3986, which also encodes ! ' ( ) *. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

function signatureOf(method: string, url: URL, body: string, nonce: string, key: string): string {
  const parameters = [...url.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`);
  if (body !== '') parameters.push(`body=${encode(Buffer.from(body).toString('base64'))}`);
  const address = (url.origin + url.pathname).toLowerCase();
  const base = [method, encode(address), encode(parameters.sort().join('&')), encode(nonce)].join('&');
  return createHmac('sha1', `${key}&null`).update(base).digest('base64');
}

/** Adds the credentials to each call: API key and token, or nonce and signature for the auth service. */
export const signing = (credentials: Credentials): Middleware => ({
  async onRequest({ request, schemaPath }) {
    const { applicationId, apiKey, signingKey, organisationKey = '', organisationToken, companyToken } = credentials;
    const { headers, method, url } = request;
    headers.set('x-application', applicationId);
    if (!headers.has('x-fapi-interaction-id')) headers.set('x-fapi-interaction-id', randomUUID());
    if (!schemaPath.startsWith('/auth-v1/')) {
      headers.set('x-api-key', apiKey);
      if (companyToken !== undefined) headers.set('authorization', `Bearer ${companyToken}`);
      return request;
    }
    if (schemaPath === '/auth-v1/companies' && organisationToken !== undefined)
      headers.set('authorization', `Bearer ${organisationToken}`);
    const key = schemaPath === '/auth-v1/organisations' ? signingKey : organisationKey;
    const nonce = randomUUID();
    headers.set('x-nonce', nonce);
    headers.set('x-signature', signatureOf(method, new URL(url), await request.clone().text(), nonce, key));
    return request;
  },
});
