import type { oas31 } from 'zod-openapi';
import { header } from '#server/upstream/wire.ts';
import { specified, type Source } from './source.ts';

type Scheme = oas31.SecuritySchemeObject & Source;
const inHeader = (name: string, description: string, source: Source): Scheme => ({
  ...{ type: 'apiKey', in: 'header', name, description },
  ...source,
});
const bearer = (description: string, source: Source): Scheme => ({
  ...{ type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description },
  ...source,
});

/** What calls are authenticated by (wire, section 2). */
export const securitySchemes = {
  applicationId: inHeader(header.application, 'The id of the application', specified('3.1')),
  apiKey: inHeader(header.apiKey, 'The API key of the application', specified('3.1')),
  nonce: inHeader(header.nonce, 'A new value for each call, at most 200 characters', specified('2.2.2')),
  signature: inHeader(
    header.signature,
    'HMAC-SHA1, in Base64, of the base string of the call: with the signing key of the application to create an organisation, with that of the organisation for tokens',
    specified('2.2.2', '2.2.3'),
  ),
  organisationToken: bearer('The token of the organisation', specified('2.2.1')),
  companyToken: bearer('The token of the company, never that of its organisation', specified('2.1.2')),
  userToken: bearer('The token of the user, from the identity provider', specified('2.5.2')),
} satisfies Record<string, Scheme>;

const all = (...names: (keyof typeof securitySchemes)[]) => Object.fromEntries(names.map((name) => [name, []]));

/** The alternatives of each kind of call. */
export const securityOf = {
  none: [],
  application: [all('applicationId', 'nonce', 'signature')],
  owner: [all('applicationId', 'nonce', 'signature')],
  organisation: [all('organisationToken'), all('applicationId', 'nonce', 'signature', 'organisationToken')],
  client: [all('applicationId', 'apiKey')],
  company: [all('applicationId', 'apiKey', 'companyToken')],
  payments: [all('companyToken'), all('applicationId', 'apiKey', 'companyToken')],
  user: [all('userToken')],
} satisfies Record<string, readonly oas31.SecurityRequirementObject[]>;
