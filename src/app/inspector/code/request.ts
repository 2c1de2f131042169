import { header } from '#contract/requests/endpoints.ts';

/** Stands for the idempotency key of a request that has none yet. */
export const keyWord = '$KEY';

/** A request as it went over the wire or will go; secrets may be masked in whatever way. */
export interface CodeRequest {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  /** The exact text, '' for none. */
  body: string;
  /** What was signed, if it is known. */
  baseString?: string;
  /** The record holds only the first part of the body. */
  cut?: boolean;
}

/** Secrets and what is made anew for each request, which code takes from variables of these names. */
export type Variable = 'TOKEN' | 'API_KEY' | 'SIGNING_KEY' | 'KEY' | 'NONCE' | 'SIGNATURE';

/** What they are called in languages with names in camel case. */
export const names: Record<Variable, string> = {
  TOKEN: 'token',
  API_KEY: 'apiKey',
  SIGNING_KEY: 'signingKey',
  KEY: 'key',
  NONCE: 'nonce',
  SIGNATURE: 'signature',
};

/** A text as code says it: literal parts and variables. */
export type Part = string | { variable: Variable };

/** What code of any language is written from. */
export interface Plan extends Pick<CodeRequest, 'method' | 'url'> {
  headers: [name: string, value: Part[]][];
  body: Part[];
  /** Environment variables with what they hold. */
  given: [variable: Variable, what: string][];
  isSigned: boolean;
  /** The idempotency key is made by the code, without hyphens where the service wants letters and digits alone. */
  key: 'none' | 'uuid' | 'plain';
  notes: string[];
}

/** Headers that the connection makes, and those of an interaction, of which each request has its own. */
const left = ['host', 'connection', 'content-length', 'transfer-encoding', 'cookie', 'set-cookie', 'traceparent'];

const secretOf: Readonly<Record<string, Part[]>> = {
  authorization: ['Bearer ', { variable: 'TOKEN' }],
  'proxy-authorization': [],
  [header.apiKey]: [{ variable: 'API_KEY' }],
  [header.nonce]: [{ variable: 'NONCE' }],
  [header.signature]: [{ variable: 'SIGNATURE' }],
};

/** A text with the key that is still to be made as a variable. */
const parts = (text: string): Part[] =>
  text
    .split(keyWord)
    .flatMap((literal, index) => [
      ...(index > 0 ? [{ variable: 'KEY' } as const] : []),
      ...(literal === '' ? [] : [literal]),
    ]);

/** Whose signing key a request is signed with: the application's where there is no organisation yet. */
const signedWith = (url: string): string =>
  url.endsWith('/organisations') ? 'the signing key of the application' : 'the signing key of the organisation';

export function planOf({ method, url, headers, body, baseString = '', cut = false }: CodeRequest): Plan {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  const has = (name: string) => names.includes(name);
  const isSigned = has(header.signature);
  // An interaction has its own id, unless it is the message's.
  const isOwn = (name: string, value: string) =>
    name === header.interaction && value !== headers[header.idempotency] && value !== keyWord;
  const sent = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name, value]) => !left.includes(name) && !isOwn(name, value) && secretOf[name]?.length !== 0)
    .map(([name, value]): [string, Part[]] => [name, secretOf[name] ?? parts(value)]);
  const makesKey = [...Object.values(headers), body].some((text) => text.includes(keyWord));
  return {
    method,
    url,
    headers: sent,
    body: parts(body),
    given: [
      ...(has('authorization') ? [['TOKEN', 'the access token'] as [Variable, string]] : []),
      ...(has(header.apiKey) ? [['API_KEY', 'the API key'] as [Variable, string]] : []),
      ...(isSigned ? [['SIGNING_KEY', signedWith(url)] as [Variable, string]] : []),
    ],
    isSigned,
    key: !makesKey ? 'none' : url.endsWith('/organisations') ? 'plain' : 'uuid',
    notes: [
      ...(cut ? ['The body is cut short: the record keeps only its first part.'] : []),
      ...(isSigned
        ? [
            'The signature is the Base64 of an HMAC-SHA1 over the base string, under the signing key and "&null".',
            'The base string: method, URL in small letters, parameters and nonce, each percent-encoded, joined by "&".',
            'The body is a parameter of its own, in Base64; a query would be others, in the order of their names.',
          ]
        : []),
      ...(isSigned && baseString ? [`Base string: ${baseString}`] : []),
    ],
  };
}
