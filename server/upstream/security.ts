import type { oas31 } from 'zod-openapi';
import { serviceCall, type Proof, type ServiceOperation } from '#contract/serviceCalls.ts';
import { member } from '#contract/member.ts';
import { header } from './wire.ts';
import { specified, type Source } from './documented.ts';

type Scheme = oas31.SecuritySchemeObject & Source;
const inHeader = (name: string, description: string, source: Source): Scheme => ({
  type: 'apiKey',
  in: 'header',
  name,
  description,
  ...source,
});
const bearer = (description: string, source: Source): Scheme => ({
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description,
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

/** What a call is authenticated by at the service: alternatives, each with all its parts. */
export const securityOf: Readonly<Record<Proof, oas31.SecurityRequirementObject[]>> = {
  none: [],
  link: [],
  application: [all('applicationId', 'nonce', 'signature')],
  owner: [all('applicationId', 'nonce', 'signature')],
  organisation: [all('organisationToken'), all('applicationId', 'nonce', 'signature', 'organisationToken')],
  client: [all('applicationId', 'apiKey')],
  lookup: [all('applicationId'), all('applicationId', 'apiKey')],
  company: [all('applicationId', 'apiKey', 'companyToken')],
  payer: [all('companyToken'), all('applicationId', 'apiKey', 'companyToken')],
  user: [all('userToken')],
  identity: [all('userToken')],
};

const headerOf = (scheme: string): string => member<Scheme>(securitySchemes, scheme)?.name ?? 'authorization';

/**
 * Returns the headers that a call of this operation lacks (wire, sections 2 and 3): of the ways to authenticate it, those
 * of the one that lacks fewest. Names are in lower case.
 */
export function missingHeaders(
  operation: ServiceOperation,
  headers: Readonly<Record<string, string | undefined>>,
): string[] {
  const { proof, writes } = serviceCall(operation);
  const lacking = (names: readonly string[]) => names.filter((name) => !headers[name]);
  const ways = securityOf[proof].map((way) => lacking(Object.keys(way).map(headerOf)));
  const [fewest = []] = ways.sort((a, b) => a.length - b.length);
  return [
    ...fewest,
    ...lacking([
      ...(writes ? [header.idempotency] : []),
      ...(writes === 'message' ? [header.interaction] : []),
      ...(proof === 'owner' ? [header.organisation] : []),
    ]),
  ];
}
