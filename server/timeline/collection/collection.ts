import { isObject, jsonIn } from '#contract/json.ts';
import { own } from '#contract/member.ts';
import { header } from '#contract/requests/headers.ts';
import { operationAt } from '#contract/serviceCalls.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { pathnameOf } from '#rules/url.ts';
import { createCredentials, type Credentials } from './credentials.ts';
import { fileLinksIn, hasSecretAddress, linkPath } from './fileLinks.ts';
import { createVariables, placeholder, type Variable, type Variables } from './variables.ts';

/** A request whose texts name variables as `{{name}}`. */
export interface CollectionRequest {
  name: string;
  method: string;
  url: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: string;
  /** The variable of the key that signs it; '' if it is not signed. */
  signedWith: string;
  /** The ids that the caller chooses, which are made new when it is sent. */
  made: readonly string[];
  /** Variables that its response gives, with the members that lead to the value. */
  learned: readonly { variable: string; path: readonly string[] }[];
}

/** Requests in the order in which they were sent, with what they need. */
export interface Collection {
  variables: readonly Variable[];
  requests: readonly CollectionRequest[];
  /** The secrets that no response gives before they are needed: their values are for the user to give. */
  given: readonly string[];
  /** Why entries are left out, one sentence each. */
  omitted: readonly string[];
}

/** The headers that a program sends by itself; those of the connection are the tool's. */
const kept: readonly string[] = [
  header.application,
  header.apiKey,
  header.organisation,
  header.company,
  header.language,
  header.nonce,
  header.signature,
  header.idempotency,
  header.interaction,
  'authorization',
  'content-type',
  'accept',
];

/** What is made new for each request, or stands for a secret. */
const replacedHeaders: Readonly<Record<string, string>> = {
  [header.apiKey]: placeholder('apiKey'),
  [header.nonce]: placeholder('nonce'),
  [header.signature]: placeholder('signature'),
  [header.idempotency]: placeholder('idempotencyKey'),
  [header.interaction]: placeholder('interactionId'),
};

/** Ids that a caller chooses for what it creates. */
const chosen: readonly string[] = ['debtorId', 'creditorId', 'externalId'];

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** All texts in a JSON text, with the members that lead to them; none if it is not JSON. */
function textsIn(body: string): { path: string[]; value: string }[] {
  const found: { path: string[]; value: string }[] = [];
  const visit = (value: unknown, path: string[]): void => {
    if (typeof value === 'string') found.push({ path, value });
    else if (Array.isArray(value)) value.forEach((each, index) => visit(each, [...path, String(index)]));
    else if (isObject(value)) for (const [name, each] of Object.entries(value)) visit(each, [...path, name]);
  };
  visit(jsonIn(body), []);
  return found;
}

/** Whether an entry is a call of the service by the console or a program. */
export const isCall = ({ kind, url }: TimelineEntry): boolean =>
  (kind === 'service' || kind === 'program') && /^https?:/.test(url);

/** What names a call: its operation, or its method and path if the service has no such call. */
const nameOf = ({ method, url }: TimelineEntry): string =>
  operationAt(method, pathnameOf(url)) ?? `${method} ${pathnameOf(url)}`;

/** Why a call cannot be sent again as it was; '' if it can. */
function lackOf(entry: TimelineEntry, isFed: boolean): string {
  const { request, method, url } = entry;
  const { truncated, encoding, body, headers } = request;
  const call = `${method} ${pathnameOf(url)}`;
  if (hasSecretAddress(entry) && !isFed)
    return `${call} is left out: its address has a secret, which no response read before gives.`;
  if (truncated) return `${call} is left out: only the beginning of its body was recorded.`;
  if (encoding) return `${call} is left out: its body is no text.`;
  // Lines of other texts can end a request, or name a file to send.
  if (body !== '' && jsonIn(body) === undefined) return `${call} is left out: its body is not JSON.`;
  const [braced] = Object.entries(headers).find(([name, value]) => kept.includes(name) && value.includes('{{')) ?? [];
  return braced === undefined ? '' : `${call} is left out: ${braced} has {{, which tools take for a variable.`;
}

/** Leaves out repeats: the same read, unless a download needs its link, and the same idempotency key. */
function firstOfEach(entries: readonly TimelineEntry[], links: ReadonlyMap<string, string>): TimelineEntry[] {
  const known = new Set<string>();
  const given = new Set(links.values());
  return entries.filter(({ id, method, url, request: { headers } }) => {
    const key = headers[header.idempotency];
    const link = links.get(id);
    const read = link === undefined ? `GET ${given.has(id) ? id : url}` : `file of ${link}`;
    const what = method === 'GET' ? read : key === undefined ? id : `key ${key}`;
    return !known.has(what) && known.add(what);
  });
}

/** The ids that the response of a write gives, if a later request names them; and its secrets. */
function learnedFrom(entry: TimelineEntry, later: string, variables: Variables, credentials: Credentials) {
  const { method, response } = entry;
  if (method === 'GET') return [];
  const texts = textsIn(response.body);
  const organisation = texts.find(({ path }) => path.at(-1) === 'organisationId')?.value ?? '';
  return texts.flatMap(({ path, value }) => {
    const member = path.at(-1) ?? '';
    if (member === 'jwt' || member === 'primarySigningKey') {
      const secret = member === 'jwt' ? credentials.givenToken(entry) : credentials.givenKey(organisation);
      variables.declare(secret, '', true);
      return [{ variable: secret, path }];
    }
    if (!/Id$/.test(member) || value.length < 8 || variables.isKnown(value) || !later.includes(value)) return [];
    return [{ variable: variables.nameFor(value, member), path }];
  });
}

/** The ids in a request's body that its caller has chosen. */
const madeIn = ({ request, method }: TimelineEntry, variables: Variables): string[] =>
  method === 'GET'
    ? []
    : textsIn(request.body).flatMap(({ path, value }) => {
        const member = path.at(-1) ?? '';
        const isChosen = chosen.includes(member) && uuid.test(value) && !variables.isKnown(value);
        return isChosen ? [variables.nameFor(value, member)] : [];
      });

/** A body with variables; other braces of its own are escaped, so that no tool takes them for a variable. */
function bodyOf({ body, secretAs }: TimelineEntry['request'], variables: Variables): string {
  const named = variables
    .named(body.replaceAll('{{', '{\\u007b'))
    .replace(/("requestedExecutionDateTime"\s*:\s*")[^"]*/g, `$1${placeholder('executionDate')}`);
  return secretAs ? named.replaceAll(secretAs, variables.declare('secret', '', true)) : named;
}

function headersOf(entry: TimelineEntry, variables: Variables, token: string) {
  return Object.entries(entry.request.headers)
    .filter(([name]) => kept.includes(name))
    .map(([name, value]): [string, string] => {
      if (name === 'authorization') return [name, `Bearer ${variables.declare(token, '', true)}`];
      if (name === header.application) return [name, variables.declare('applicationId', value)];
      if (name === header.apiKey) variables.declare('apiKey', '', true);
      return [name, replacedHeaders[name] ?? variables.named(value)];
    });
}

const withoutBraces = (path: string): string => path.replaceAll('{', '%7B').replaceAll('}', '%7D');

/** The ids of what a write has created in a company: those that its response adds, and those that its caller has chosen. */
function recordsOf({ method, url, request, response }: TimelineEntry): string[] {
  if (method === 'GET') return [];
  const sent = `${url}\n${request.body}`;
  const isCreated = ({ path, value }: { path: string[]; value: string }) =>
    /(?<!organisation|company)Id$/.test(path.at(-1) ?? '') && !sent.includes(value);
  const isChosen = ({ path }: { path: string[] }) => /^(debtor|creditor)Id$/.test(path.at(-1) ?? '');
  return [...textsIn(response.body).filter(isCreated), ...textsIn(request.body).filter(isChosen)]
    .map(({ value }) => value)
    .filter((value) => value.length >= 8);
}

/** The secrets that a request needs before, or without, a response that gives them. */
function givenIn(secrets: readonly string[], requests: readonly CollectionRequest[]): string[] {
  const learnedAt = (name: string) =>
    requests.findIndex(({ learned }) => learned.some(({ variable }) => variable === name));
  const neededAt = (name: string) =>
    requests.findIndex(
      ({ url, headers, body, signedWith }) =>
        signedWith === name || [url, body, ...headers.flat()].join('\n').includes(placeholder(name)),
    );
  return secrets.filter(
    (name) => learnedAt(name) === -1 || (neededAt(name) !== -1 && neededAt(name) <= learnedAt(name)),
  );
}

/**
 * Makes a collection of the calls of the service among entries in their order: ids of one response feed the next requests,
 * keys and nonces are made for each request, secrets are variables without a value. Repeats are left out.
 */
export function collectionOf(entries: readonly TimelineEntry[]): Collection {
  const all = entries.filter(isCall);
  const links = fileLinksIn(all);
  const calls = firstOfEach(all, links);
  const feeding = new Set(links.values());
  const lacks = new Map(calls.map((entry) => [entry, lackOf(entry, links.has(entry.id))]));
  const omitted = [...lacks.values()].filter(Boolean);
  const usable = calls.filter((entry) => lacks.get(entry) === '');
  const variables = createVariables();
  const credentials = createCredentials();
  const textOf = ({ url, request }: TimelineEntry) =>
    `${url}\n${Object.values(request.headers).join('\n')}\n${request.body}`;
  const origins = [...new Set(usable.map(({ url }) => new URL(url).origin))];
  const originNames = new Map(
    origins.map((origin, index) => [origin, index === 0 ? 'baseUrl' : `baseUrl${index + 1}`]),
  );
  // No text of a call has a NUL, so that this names nothing else.
  const linkVariable = (read: string) => variables.nameFor(`\u0000${read}`, 'paymentFile');
  for (const [origin, name] of originNames) variables.declare(name, origin);
  const requests = usable.map((entry, index): CollectionRequest => {
    const { origin, pathname, search } = new URL(entry.url);
    const made = madeIn(entry, variables);
    const isSigned = own(entry.request.headers, header.signature);
    const signedWith = isSigned ? credentials.signingKey(entry) : '';
    const token = credentials.token(entry);
    const link = links.get(entry.id);
    if (isSigned) variables.declare(signedWith, '', true);
    const request = {
      name: `${index + 1} ${link === undefined ? nameOf(entry) : 'paymentFile'}`,
      method: entry.method,
      url:
        link === undefined
          ? placeholder(originNames.get(origin) ?? '') + variables.named(withoutBraces(pathname + search))
          : placeholder(linkVariable(link)),
      headers: headersOf(entry, variables, token),
      body: bodyOf(entry.request, variables),
      signedWith,
      made,
    };
    const later = usable
      .slice(index + 1)
      .map(textOf)
      .join('\n');
    const learned = feeding.has(entry.id)
      ? [{ variable: linkVariable(entry.id), path: linkPath }]
      : learnedFrom(entry, later, variables, credentials);
    if (own(entry.request.headers, 'authorization')) recordsOf(entry).forEach((id) => credentials.created(id, token));
    return { ...request, learned };
  });
  const secrets = variables.all().filter(({ isSecret }) => isSecret);
  const given = givenIn(
    secrets.map(({ name }) => name),
    requests,
  );
  return { variables: variables.all(), requests, given, omitted };
}
