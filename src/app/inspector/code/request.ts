import { member } from '#contract/member.ts';
import { parse, stringify } from '#contract/json.ts';
import { header } from '#contract/requests/endpoints.ts';

/** Placeholder for an idempotency key that has not been created yet. */
export const keyWord = '$KEY';

/** A request that was sent or is about to be sent; secrets may be masked in any way. */
export interface CodeRequest {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  /** The exact text; '' if there is no body. */
  body: string;
  /** The signature's base string, if it is known. */
  baseString?: string;
  /** Set if the record contains only the beginning of the body. */
  truncated?: true | undefined;
}

/** Secrets and per-request values, which the generated code reads from variables of these names. */
export type Variable = 'TOKEN' | 'API_KEY' | 'WEBHOOK_KEY' | 'SIGNING_KEY' | 'KEY' | 'NONCE' | 'SIGNATURE';

/** Variable names for languages that use camel case. */
export const names: Record<Variable, string> = {
  TOKEN: 'token',
  API_KEY: 'apiKey',
  WEBHOOK_KEY: 'webhookKey',
  SIGNING_KEY: 'signingKey',
  KEY: 'key',
  NONCE: 'nonce',
  SIGNATURE: 'signature',
};

/** A part of a text in generated code: literal text or a variable. */
export type Part = string | { variable: Variable };

/** The input of the code writers of all languages. */
export interface Plan extends Pick<CodeRequest, 'method' | 'url'> {
  headers: [name: string, value: Part[]][];
  /** Indented if it is JSON. */
  body: Part[];
  /** The lines of a body of several lines, with the placeholder of the idempotency key; null for any other body. */
  lines: readonly string[] | null;
  /** Environment variables with their descriptions. */
  given: [variable: Variable, what: string][];
  isSigned: boolean;
  /**
   * The format of the idempotency key that the code creates: `plain` is a UUID without hyphens, for endpoints that
   * accept only letters and digits.
   */
  key: 'none' | 'uuid' | 'plain';
  notes: string[];
}

/** A JSON text of an object or list, indented; any other text unchanged. */
function indented(body: string): string {
  try {
    return stringify(parse(body), 2);
  } catch {
    return body;
  }
}

/** Headers that the connection sets, and tracing headers, which differ for each request; the code omits them. */
const left = ['host', 'connection', 'content-length', 'transfer-encoding', 'cookie', 'set-cookie', 'traceparent'];

const secretOf: Readonly<Record<string, Part[]>> = {
  authorization: ['Bearer ', { variable: 'TOKEN' }],
  'proxy-authorization': [],
  [header.apiKey]: [{ variable: 'API_KEY' }],
  [header.nonce]: [{ variable: 'NONCE' }],
  [header.signature]: [{ variable: 'SIGNATURE' }],
};

/** Splits a text at the placeholder of the idempotency key, which becomes a variable. */
const parts = (text: string): Part[] =>
  text
    .split(keyWord)
    .flatMap((literal, index) => [
      ...(index > 0 ? [{ variable: 'KEY' } as const] : []),
      ...(literal === '' ? [] : [literal]),
    ]);

/** Placeholder of the header by which the receiver of a webhook recognises its sender, whose name is configured. */
const webhookKeyWord = '$WEBHOOK_KEY';

const headerParts = (name: string, value: string): Part[] =>
  member(secretOf, name) ?? (value === webhookKeyWord ? [{ variable: 'WEBHOOK_KEY' }] : parts(value));

/** The key that signs a request: the application's for creating an organisation, otherwise the organisation's. */
const signedWith = (url: string): string =>
  url.endsWith('/organisations') ? 'the signing key of the application' : 'the signing key of the organisation';

export function planOf({ method, url, headers, body, baseString = '', truncated }: CodeRequest): Plan {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  const has = (name: string) => names.includes(name);
  const isSigned = has(header.signature);
  // The interaction id differs for each request and is omitted, unless it is the idempotency key.
  const isOwn = (name: string, value: string) =>
    name === header.interaction && value !== headers[header.idempotency] && value !== keyWord;
  const sent = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name, value]) => !left.includes(name) && !isOwn(name, value) && member(secretOf, name)?.length !== 0)
    .map(([name, value]): [string, Part[]] => [name, headerParts(name, value)]);
  const shown = truncated ? body : indented(body);
  // Carriage returns would not survive in a literal of several lines.
  const isLines = shown.includes('\n') && !shown.includes('\r');
  const makesKey = [...Object.values(headers), body].some((text) => text.includes(keyWord));
  return {
    method,
    url,
    headers: sent,
    body: parts(shown),
    lines: isLines ? shown.split('\n') : null,
    given: [
      ...(has('authorization') ? [['TOKEN', 'the access token'] as [Variable, string]] : []),
      ...(has(header.apiKey) ? [['API_KEY', 'the API key'] as [Variable, string]] : []),
      ...(Object.values(headers).includes(webhookKeyWord)
        ? [['WEBHOOK_KEY', 'the key of the webhooks'] as [Variable, string]]
        : []),
      ...(isSigned ? [['SIGNING_KEY', signedWith(url)] as [Variable, string]] : []),
    ],
    isSigned,
    key: !makesKey ? 'none' : url.endsWith('/organisations') ? 'plain' : 'uuid',
    notes: [
      ...(truncated ? ['The body is incomplete: only its first part was recorded.'] : []),
      ...(isSigned
        ? [
            'The signature is the Base64 of an HMAC-SHA1 over the base string, under the signing key and "&null".',
            'The base string: method, URL in lower case, parameters and nonce, each percent-encoded, joined by "&".',
            'The body is one parameter, in Base64. Query parameters would be further ones, sorted by name.',
          ]
        : []),
      ...(isSigned && baseString && shown !== body
        ? ['The code signs the body as it is written here; this base string is of the body without line breaks.']
        : []),
      ...(isSigned && baseString ? [`Base string: ${baseString}`] : []),
    ],
  };
}
