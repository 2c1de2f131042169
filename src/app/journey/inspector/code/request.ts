import { member } from '#contract/member.ts';
import { header } from '#contract/requests/headers.ts';
import { copiedVariables, type CopiedVariable } from '#contract/programs.ts';
import { operationAt, proofs, serviceCall } from '#contract/serviceCalls.ts';
import { pathnameOf } from '#rules/url.ts';

/** Values that are created when a request is sent: its idempotency key, and the id of the record that it creates. */
type Created = 'KEY' | 'DEBTOR_ID' | 'CREDITOR_ID';

/** Known to nobody who types a text. */
const mark = crypto.randomUUID();

/** Stands for such a value in a pending request, and for nothing else: no user's text holds it. It is never shown or copied. */
export const createdWord = (variable: Created): string => `${mark}-${variable}`;
const createdWords = new RegExp(`${mark}-(KEY|DEBTOR_ID|CREDITOR_ID)`);
export const keyWord = createdWord('KEY');

/** A text of a pending request as it is shown and copied, with the names of created values. */
export const withoutMarks = (text: string): string => text.replaceAll(new RegExp(createdWords, 'g'), '$$$1');

/** A request that was sent or is about to be sent; secrets may be masked in any way. */
export interface CodeRequest {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  /** The exact text; '' if there is no body. */
  body: string;
  /** The signature's base string, if it is known. */
  baseString?: string;
  /** Set before it is sent: headers and body with `createdWord` in place of each created value. A recorded text is sent as it is. */
  pending?: Pick<CodeRequest, 'headers' | 'body'>;
  /** Set if the record contains only the beginning of the body. */
  truncated?: true | undefined;
  /** What stands in the recorded body for each secret; absent if it holds none. */
  secretAs?: string | undefined;
}

/** Secrets and per-request values, which the generated code reads from variables of these names. */
export type Variable = 'TOKEN' | 'API_KEY' | 'WEBHOOK_KEY' | 'SIGNING_KEY' | Created | 'NONCE' | 'SIGNATURE';

/** Variable names for languages that use camel case. */
export const names: Record<Variable, string> = {
  TOKEN: 'token',
  API_KEY: 'apiKey',
  WEBHOOK_KEY: 'webhookKey',
  SIGNING_KEY: 'signingKey',
  KEY: 'key',
  DEBTOR_ID: 'debtorId',
  CREDITOR_ID: 'creditorId',
  NONCE: 'nonce',
  SIGNATURE: 'signature',
};

/** A part of a text in generated code: literal text or a variable. */
export type Part = string | { variable: Variable };

export type IdFormat = 'uuid' | 'plain';

/** The input of the code writers of all languages. */
export interface Plan extends Pick<CodeRequest, 'method' | 'url'> {
  headers: [name: string, value: Part[]][];
  body: Part[];
  /** The secrets, each with the environment variable that has it and its description. */
  given: [variable: Variable, from: CopiedVariable, what: string][];
  isSigned: boolean;
  /**
   * The values that the code creates, and their formats: `plain` is a UUID without hyphens, for endpoints that accept only
   * letters and digits.
   */
  created: [variable: Created, format: IdFormat][];
  notes: string[];
}

/** Headers that the connection sets, and tracing headers, which differ for each request; the code omits them. */
const left = ['host', 'connection', 'content-length', 'transfer-encoding', 'cookie', 'set-cookie', 'traceparent'];

const secretOf: Readonly<Record<string, Part[]>> = {
  'proxy-authorization': [],
  [header.apiKey]: [{ variable: 'API_KEY' }],
  [header.nonce]: [{ variable: 'NONCE' }],
  [header.signature]: [{ variable: 'SIGNATURE' }],
};

/** Splits the text of a pending request at the placeholders of created values, which become variables. */
const parts = (text: string, isPending: boolean): Part[] =>
  (isPending ? text.split(createdWords) : [text]).flatMap(
    (piece, index): Part[] => (index % 2 === 1 ? [{ variable: piece as Created }] : piece === '' ? [] : [piece]), // a match of the pattern
  );

/** Placeholder of the header by which the receiver of a webhook recognises its sender, whose name is configured. */
const webhookKeyWord = '$WEBHOOK_KEY';

/** The scheme of an authorization header: Basic stays Basic. */
const schemeIn = (value: string): string => /^([A-Za-z][\w-]*) /.exec(value)?.[1] ?? 'Bearer';

function headerParts(name: string, value: string, isPending: boolean): Part[] {
  if (name === 'authorization') return [`${schemeIn(value)} `, { variable: 'TOKEN' }];
  return member(secretOf, name) ?? (value === webhookKeyWord ? [{ variable: 'WEBHOOK_KEY' }] : parts(value, isPending));
}

/** What a missing variable is answered with, behind its name. */
export const missing = 'is missing: put it into .env, which the console’s page Your app offers to copy';

const tokens = { organisation: 'ORGANISATION_TOKEN', company: 'TOKEN', user: 'USER_TOKEN' } as const;

/** The variables that hold the token and the signing key of a request. */
function secretsOf(method: string, url: string): Record<'TOKEN' | 'SIGNING_KEY', CopiedVariable> {
  const operation = operationAt(method, pathnameOf(url));
  const proof: { by?: string; token?: keyof typeof tokens } = operation ? proofs[serviceCall(operation).proof] : {};
  return {
    TOKEN: tokens[proof.token ?? 'company'],
    SIGNING_KEY: proof.by === 'applicationSignature' ? 'APPLICATION_SIGNING_KEY' : 'SIGNING_KEY',
  };
}

export function planOf({ method, url, pending, baseString = '', truncated, secretAs, ...shown }: CodeRequest): Plan {
  const { headers, body } = pending ?? shown;
  const isPending = pending !== undefined;
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  const has = (name: string) => names.includes(name);
  const isSigned = has(header.signature);
  // The interaction id differs for each request and is omitted, unless it is the idempotency key.
  const isOwn = (name: string, value: string) =>
    name === header.interaction && value !== headers[header.idempotency] && value !== keyWord;
  const sent = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name, value]) => !left.includes(name) && !isOwn(name, value) && member(secretOf, name)?.length !== 0)
    .map(([name, value]): [string, Part[]] => [name, headerParts(name, value, isPending)]);
  const authorization = Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization')?.[1];
  const texts = isPending ? [...Object.values(headers), body] : [];
  const format = url.endsWith('/organisations') ? 'plain' : 'uuid';
  const of = secretsOf(method, url);
  const isBasic = schemeIn(authorization ?? '').toLowerCase() === 'basic';
  const given = (variable: Variable, from: CopiedVariable, what: string = copiedVariables[from]): Plan['given'] => [
    [variable, from, what],
  ];
  const variables = (['KEY', 'DEBTOR_ID', 'CREDITOR_ID'] as const).filter((each) =>
    texts.some((text) => text.includes(createdWord(each))),
  );
  return {
    method,
    url,
    headers: sent,
    body: parts(body, isPending),
    given: [
      ...(authorization === undefined
        ? []
        : isBasic
          ? given('TOKEN', 'TOKEN', 'the Base64 of user:password')
          : given('TOKEN', of.TOKEN)),
      ...(has(header.apiKey) ? given('API_KEY', 'API_KEY') : []),
      ...(Object.values(headers).includes(webhookKeyWord) ? given('WEBHOOK_KEY', 'WEBHOOK_KEY') : []),
      ...(isSigned ? given('SIGNING_KEY', of.SIGNING_KEY) : []),
    ],
    isSigned,
    created: variables.map((each) => [each, format]),
    notes: [
      ...(truncated ? ['The body is incomplete: only its first part was recorded.'] : []),
      ...(isSigned
        ? [
            'The signature is the Base64 of an HMAC-SHA1 over the base string, under the signing key and "&null".',
            'The base string: method, URL in lower case, parameters and nonce, each percent-encoded, joined by "&".',
            'The body is one parameter, in Base64. Query parameters would be further ones, sorted by name.',
          ]
        : []),
      ...(secretAs ? [`The record has ${secretAs} in place of each secret in the body: put the secrets there.`] : []),
      ...(isSigned && baseString ? [`Base string: ${baseString}`] : []),
    ],
  };
}
