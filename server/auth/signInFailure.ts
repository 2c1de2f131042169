import * as oidc from 'openid-client';
import { maskAll } from '#server/mask.ts';
import { AttemptError } from './signInAttempts.ts';

/** Longest cause (characters) in the log. */
const longestCause = 1000;

/** Thrown for a user whom the provider knows and OIDC_ALLOWED does not admit. */
export class NotAdmittedError extends Error {
  readonly lacks: readonly string[];

  constructor(lacks: readonly string[]) {
    super(lacks.join('; '));
    this.name = 'NotAdmittedError';
    this.lacks = lacks;
  }
}

/** Errors of the provider that say something about the user, and those that pass. */
const ofUser = [
  'access_denied',
  'login_required',
  'consent_required',
  'interaction_required',
  'account_selection_required',
  'invalid_grant',
];
const passing = ['server_error', 'temporarily_unavailable'];

/** Codes of Node for a certificate or an address that only a change of the configuration mends. */
const isMisconfigured = (code: string): boolean => /CERT|TLS|SSL|SIGNATURE|ERR_INVALID_URL/.test(code);

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** An error and its causes, the outermost first. */
function chainOf(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let each = error; each !== undefined && !chain.includes(each) && chain.length < 8;) {
    chain.push(each);
    each = each instanceof AggregateError ? each.errors[0] : each instanceof Error ? each.cause : undefined;
  }
  return chain;
}

/** Who can mend a failure: the user by trying again, the operator, or time. */
function mendedBy(error: unknown): 'user' | 'operator' | 'time' {
  if (error instanceof AttemptError) return 'user';
  if (error instanceof oidc.AuthorizationResponseError || error instanceof oidc.ResponseBodyError) {
    if (ofUser.includes(error.error)) return 'user';
    const status = error instanceof oidc.ResponseBodyError ? error.status : 0;
    return passing.includes(error.error) || status >= 500 || status === 429 ? 'time' : 'operator';
  }
  const chain = chainOf(error);
  const response = chain.find((each) => each instanceof Response);
  if (response && (response.status >= 500 || response.status === 429)) return 'time';
  const isNetwork = error instanceof TypeError || codeOf(error) === 'OAUTH_TIMEOUT';
  return isNetwork && !chain.some((each) => isMisconfigured(codeOf(each))) ? 'time' : 'operator';
}

const sentences = {
  user: 'You are not signed in: the sign-in was refused or abandoned, took too long or was not started here.',
  operator:
    'You are not signed in: the console and the sign-in service do not understand each other. Trying again does not help: whoever operates this console has to mend it, and finds the cause in its log.',
  time: 'The sign-in service cannot be reached. Try again later.',
} as const;

/** Returns the status and the sentence for a user whose sign-in failed: what happened, and who can mend it. */
export function noticeOf(error: unknown): { status: number; sentence: string } {
  if (error instanceof NotAdmittedError)
    return {
      status: 403,
      sentence: `You are not signed in: the sign-in service knows you, but this console does not admit you, because ${error.lacks.join(', and ')}. Whoever operates the console can admit you.`,
    };
  const by = mendedBy(error);
  return { status: by === 'user' ? 403 : 502, sentence: sentences[by] };
}

/** What the provider says about its refusal: by the protocol, or in the challenge of a 401. */
function descriptionOf(error: unknown): string {
  if (error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError)
    return `: ${error.error}${error.error_description === undefined ? '' : ` (${error.error_description})`}`;
  if (error instanceof oidc.WWWAuthenticateChallengeError)
    return `: ${error.cause
      .flatMap(({ parameters }) => [parameters.error, parameters.error_description])
      .filter(Boolean)
      .join(', ')}`;
  return '';
}

/** What a check of the library compared: the expected value, and where the other one stands. */
type Compared = Readonly<
  Partial<Record<'attribute' | 'claim', string>> &
    Partial<
      Record<'expected' | 'body' | 'claims' | 'parameters' | 'now' | 'tolerance' | 'header' | 'jwks_uri', unknown>
    >
>;

/** Names whose values are secrets of an attempt. */
const secretNames = ['nonce', 'state', 'c_hash', 's_hash'];
const longestValue = 200;
const shown = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, longestValue);

/** A time (s) as a person reads it. */
const instant = (seconds: unknown): string => {
  const time = new Date(Number(seconds) * 1000);
  return Number.isNaN(time.getTime()) ? shown(seconds) : time.toISOString().replace('.000', '');
};

/** Both times of a token that is not valid now, and by how much the clocks differ: a token comes right after its issue. */
function clocksInWords({ claims, claim, now, tolerance }: Compared): string {
  const { iat, nbf, exp } = claims as Readonly<Record<string, number>>; // checked to be numbers before
  const isEarly = claim === 'nbf';
  const ahead = Math.round(Number(isEarly ? nbf : (iat ?? exp)) - Number(now));
  return [
    isEarly ? `the token is valid from ${instant(nbf)} (nbf)` : `the token was valid until ${instant(exp)} (exp)`,
    ...(iat === undefined ? [] : [`was issued at ${instant(iat)} (iat)`]),
    `and this machine’s clock says ${instant(now)}`,
    Math.abs(ahead) > Number(tolerance)
      ? `the sign-in service’s clock is ${Math.abs(ahead)} s ${isEarly ? 'ahead of' : 'behind'} this machine’s, and ${Number(tolerance)} s are tolerated: set both by NTP`
      : 'the clocks agree: the sign-in service’s tokens are not valid for long enough',
  ].join(', ');
}

/** By what the header of a token names its key. */
const headerInWords = (header: unknown): string =>
  ['alg', 'kid'].map((name) => `${name} ${shown((header as Readonly<Record<string, unknown>>)[name])}`).join(', ');

/** The values that a check compared; '' if it compared none. */
function comparedInWords(compared: Compared): string {
  if (compared.now !== undefined && compared.claim !== undefined) return clocksInWords(compared);
  const { expected, body, attribute, claims, claim, parameters, header, jwks_uri: keys } = compared;
  if (keys !== undefined) return `the token has ${headerInWords(header)}, the keys are those of ${shown(keys)}`;
  if (header !== undefined && expected !== undefined)
    return `expected ${shown(expected)}, received ${headerInWords(header)}`;
  const name = attribute ?? claim ?? (parameters ? 'iss' : '');
  if (expected === undefined || name === '' || secretNames.includes(name)) return '';
  const found =
    parameters instanceof URLSearchParams
      ? parameters.get(name)
      : ((body ?? claims) as Readonly<Record<string, unknown>> | undefined)?.[name];
  const values = `expected ${shown(expected)}, received ${shown(found)}`;
  return attribute === 'issuer'
    ? `${values}: OIDC_ISSUER has to be what the sign-in service calls itself, to the letter`
    : values;
}

/** An address without its query, which may hold a secret. */
const addressOf = (url: string): string =>
  URL.canParse(url) ? new URL(url).origin + new URL(url).pathname : shown(url);

/** Who has answered, and how; a redirect is not followed. */
function responseInWords({ status, url, headers }: Response): string {
  const target = headers.get('location') ?? '';
  const redirect =
    status >= 300 && status < 400 && URL.canParse(target, url)
      ? `, a redirect to ${addressOf(new URL(target, url).href)}, which is not followed`
      : '';
  return `${addressOf(url)} answered HTTP ${status} (${shown(headers.get('content-type') ?? 'no type')})${redirect}`;
}

function inWords(each: unknown): string {
  if (each instanceof Response) return responseInWords(each);
  if (typeof each === 'object' && each !== null && !(each instanceof Error)) return comparedInWords(each);
  if (!(each instanceof Error)) return '';
  const code = codeOf(each);
  return `${each.name}: ${each.message}${code === '' || each.message.includes(code) ? '' : ` (${code})`}${descriptionOf(each)}`;
}

/** The body of a response that the library leaves unread: with a challenge, or with an unexpected status. */
async function answeredBody(error: unknown): Promise<string> {
  const response =
    error instanceof oidc.WWWAuthenticateChallengeError
      ? error.response
      : chainOf(error).find((each) => each instanceof Response);
  return response && !response.bodyUsed ? `: ${await response.clone().text()}` : '';
}

/** Returns the cause of a failure for the log: the errors that led to it, with what the provider says, without `secrets`. */
export async function causeOf(error: unknown, secrets: readonly string[] = []): Promise<string> {
  const words = chainOf(error).map(inWords).filter(Boolean).join(': ');
  const body = await answeredBody(error).catch(() => '');
  return maskAll(secrets)(words + body).slice(0, longestCause);
}
