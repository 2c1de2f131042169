import { isObject, jsonIn } from '#contract/json.ts';
import { member as secretOf, own } from '#contract/member.ts';
import { endpoints, header } from '#contract/requests/endpoints.ts';
import type { TimelineEntry } from '#contract/timeline.ts';

/** A variable of a collection; the value of a secret is for its user to give. */
interface Variable {
  name: string;
  value: string;
  isSecret: boolean;
}

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
  /** Why entries are left out, one sentence each. */
  omitted: readonly string[];
}

const placeholder = (variable: string): string => `{{${variable}}}`;

/** The headers that a program sends by itself; those of the connection are the tool's. */
const kept: readonly string[] = [
  ...[header.application, header.apiKey, header.organisation, header.company, header.language, header.nonce],
  ...[header.signature, header.idempotency, header.interaction, 'authorization', 'content-type', 'accept'],
];

/** What is made new for each request, or stands for a secret. */
const replacedHeaders: Readonly<Record<string, string>> = {
  [header.apiKey]: placeholder('apiKey'),
  [header.nonce]: placeholder('nonce'),
  [header.signature]: placeholder('signature'),
  [header.idempotency]: placeholder('idempotencyKey'),
  [header.interaction]: placeholder('interactionId'),
};

/** The paths that are called with the token of a user who has logged in. */
const ofUser: readonly string[] = [endpoints.accounts, endpoints.datasets, endpoints.userInfo];

/** Secrets in responses that later requests need, by their member. */
const secretMembers: Readonly<Record<string, string>> = { jwt: 'token', primarySigningKey: 'organisationKey' };

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
const isCall = ({ kind, url }: TimelineEntry): boolean =>
  (kind === 'service' || kind === 'program') && /^https?:/.test(url);

/** Why a call cannot be sent again as it was; '' if it can. */
function lackOf({ request: { truncated, encoding }, method, url }: TimelineEntry): string {
  const call = `${method} ${new URL(url).pathname}`;
  if (truncated) return `${call} is left out: only the beginning of its body was recorded.`;
  return encoding ? `${call} is left out: its body is no text.` : '';
}

/** Leaves out repeats: the same read, and the same idempotency key. */
function firstOfEach(entries: readonly TimelineEntry[]): TimelineEntry[] {
  const known = new Set<string>();
  return entries.filter(({ id, method, url, request: { headers } }) => {
    const key = headers[header.idempotency];
    const what = method === 'GET' ? `GET ${url}` : key === undefined ? id : `key ${key}`;
    return !known.has(what) && known.add(what);
  });
}

/** The variables of a collection while its requests are read. */
function createVariables() {
  const byName = new Map<string, Variable>();
  const names = new Map<string, string>();

  /** Returns a name for a value: its own, or one with a number if that belongs to another value. */
  function nameFor(value: string, wanted: string): string {
    const known = names.get(value);
    if (known !== undefined) return known;
    let name = wanted;
    for (let count = 2; byName.has(name); count += 1) name = `${wanted}${count}`;
    names.set(value, name);
    byName.set(name, { name, value: '', isSecret: false });
    return name;
  }

  return {
    nameFor,
    isKnown: (value: string) => names.has(value),
    declare(name: string, value: string, isSecret = false): string {
      if (!byName.has(name)) byName.set(name, { name, value, isSecret });
      return placeholder(name);
    },
    /** Names the known values in a text, longer ones first. */
    named: (text: string): string =>
      [...names]
        .toSorted(([a], [b]) => b.length - a.length)
        .reduce((all, [value, name]) => all.replaceAll(value, placeholder(name)), text),
    all: () => [...byName.values()],
  };
}

type Variables = ReturnType<typeof createVariables>;

/** The ids that the response of a write gives, if a later request names them; and its secrets. */
function learnedFrom({ method, response }: TimelineEntry, later: string, variables: Variables) {
  if (method === 'GET') return [];
  return textsIn(response.body).flatMap(({ path, value }) => {
    const member = path.at(-1) ?? '';
    const secret = secretOf(secretMembers, member);
    if (secret !== undefined) {
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
function bodyOf(body: string, variables: Variables): string {
  const escaped = body.replaceAll('{{', '{\\u007b');
  const secret = escaped.includes('$TOKEN') ? variables.declare('secret', '', true) : '';
  const dated = escaped.replace(/("requestedExecutionDateTime"\s*:\s*")[^"]*/g, `$1${placeholder('executionDate')}`);
  return variables.named(dated).replaceAll('$TOKEN', secret);
}

function headersOf({ request: { headers } }: TimelineEntry, path: string, variables: Variables) {
  return Object.entries(headers)
    .filter(([name]) => kept.includes(name))
    .map(([name, value]): [string, string] => {
      if (name === 'authorization')
        return [
          name,
          `Bearer ${variables.declare(ofUser.some((each) => path.startsWith(each)) ? 'userToken' : 'token', '', true)}`,
        ];
      if (name === header.application) return [name, variables.declare('applicationId', value)];
      if (name === header.apiKey) variables.declare('apiKey', '', true);
      return [name, replacedHeaders[name] ?? variables.named(value)];
    });
}

/**
 * Makes a collection of the calls of the service among entries in their order: ids of one response feed the next requests,
 * keys and nonces are made for each request, secrets are variables without a value. Repeats are left out.
 */
export function collectionOf(entries: readonly TimelineEntry[]): Collection {
  const calls = firstOfEach(entries.filter(isCall));
  const omitted = calls.map(lackOf).filter(Boolean);
  const usable = calls.filter((entry) => lackOf(entry) === '');
  const variables = createVariables();
  const textOf = ({ url, request }: TimelineEntry) =>
    `${url}\n${Object.values(request.headers).join('\n')}\n${request.body}`;
  const origins = [...new Set(usable.map(({ url }) => new URL(url).origin))];
  const originNames = new Map(
    origins.map((origin, index) => [origin, index === 0 ? 'baseUrl' : `baseUrl${index + 1}`]),
  );
  for (const [origin, name] of originNames) variables.declare(name, origin);
  const requests = usable.map((entry, index): CollectionRequest => {
    const { origin, pathname, search } = new URL(entry.url);
    const made = madeIn(entry, variables);
    const isSigned = own(entry.request.headers, header.signature);
    const signedWith = isSigned
      ? pathname.endsWith(endpoints.createOrganisation)
        ? 'signingKey'
        : 'organisationKey'
      : '';
    if (isSigned) variables.declare(signedWith, '', true);
    const request = {
      name: `${index + 1} ${entry.name || `${entry.method} ${pathname}`}`,
      method: entry.method,
      url: placeholder(originNames.get(origin) ?? '') + variables.named(pathname + search),
      headers: headersOf(entry, pathname, variables),
      body: bodyOf(entry.request.body, variables),
      ...{ signedWith, made },
    };
    const later = usable
      .slice(index + 1)
      .map(textOf)
      .join('\n');
    return { ...request, learned: learnedFrom(entry, later, variables) };
  });
  return { variables: variables.all(), requests, omitted };
}
