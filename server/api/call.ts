import { setImmediate as othersTurn } from 'node:timers/promises';
import { v5 as uuidFrom } from 'uuid';
import type { z } from 'zod';
import { calls } from '#contract/calls.ts';
import type { CallName } from '#contract/calls.ts';
import { scopeHeader } from '#contract/constants.ts';
import { stringify } from '#contract/json.ts';
import { own } from '#contract/member.ts';
import { shapes } from '#contract/shapes.ts';
import type { Answer } from '#contract/shapes.ts';
import type { User } from '#server/http/user.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { Failure } from '#server/failure.ts';
import { fitting } from '#server/http/validate.ts';
import { describedFingerprintOf } from '#server/calls/idempotency.ts';
import { toldOutcome } from '#server/calls/writeOutcome.ts';
import { note, within } from '#server/calls/callContext.ts';
import type { Exchange } from '#server/calls/callContext.ts';
import { noteMade } from '#server/companies/provenance.ts';
import { firstScope } from '#server/companies/companyList.ts';
import { secretsOf } from '#server/upstream/config.ts';
import { keyLife } from '#server/upstream/wire.ts';
import { visibleId } from '#server/escapeId.ts';
import type { Handler, Input, Shape, Workspace } from './handlers.ts';

/** The namespace (any fixed UUID) of the idempotency keys sent to the service. */
const namespace = '0b8a5f0e-4f3c-4d43-9a57-6a7d7c1f0c55';

/**
 * Writes whose idempotency keys are shared by several scopes: the first attempt may have made another scope current, so
 * a repeat may have another scope.
 */
const wider: Partial<Record<CallName, 'workspace' | 'organisation'>> = {
  createOrganisation: 'workspace',
  createCompany: 'organisation',
};

/**
 * Returns the name under which a write's idempotency key is stored in its workspace; in the first scope it is the key
 * itself.
 */
async function fullKey(name: CallName, { scope, store }: CompanyContext, key: string): Promise<string> {
  if (wider[name] === 'workspace') return key;
  const scopes = wider[name] === 'organisation' ? await store.scopes.list() : [];
  const own = scopes.find((each) => each.scope === scope);
  const home = own && scopes.find(({ organisationId }) => organisationId === own.organisationId);
  const space = home?.scope ?? scope;
  return space === firstScope ? key : `${space}/${key}`;
}

/** The unchecked input of a call. */
export interface Asked {
  params: unknown;
  query: unknown;
  body: unknown;
  /** The idempotency key of a write; '' for any other call. */
  givenKey: string;
  origin: () => string;
  user: User;
  moveTo: (scope: string) => void;
}

/** `replayed`: the answer is that of an earlier, identical request. */
interface Performed {
  answer: unknown;
  replayed: boolean;
}

/**
 * Performs a call: checks input and output by its declaration, and runs a write once per idempotency key and company.
 * `only`: return stored answers only; a write whose first answer is no longer stored rejects with `outcome-unknown` and
 * is not sent.
 */
export async function perform<C extends CallName>(
  name: C,
  deps: Workspace,
  part: Exchange,
  asked: Asked,
  only = false,
): Promise<Performed> {
  const { scope, store, handlers, once, log } = deps;
  const { workspace } = store;
  const { params, query, body, givenKey, origin, user, moveTo: tell } = asked;
  const shape: Shape = shapes[name];
  const isWrite = 'write' in calls[name];
  let current = scope;
  const moveTo = (to: string) => {
    current = to;
    tell(to);
  };
  const handle = handlers[name] as Handler<C>; // the handler of the same name
  const input = {
    givenKey: isWrite ? idempotencyKey(givenKey) : '',
    params: plain(checked(shape.params, params, 'path'), 'path'),
    query: plain(checked(shape.query, query, 'query'), 'query'),
    body: checked(shape.body, body, 'body'),
    origin,
    user,
    moveTo,
  };
  // The key is also the interaction id, so that all repeats of a write have the same one.
  const run = async (key: string) => {
    part.interactionId = key;
    const given = { key, ...input } as Input<C>; // checked by the same declaration
    const answer = answered(shape, name, await handle(given)) as Answer<C>; // just checked
    if (part.write)
      await noteMade({ store: current === scope ? store : store.at(current), log }, name, {
        body: given.body,
        answer,
        part,
      });
    return answer;
  };
  if (!isWrite) return { answer: await run(part.interactionId), replayed: false };
  const key = await fullKey(name, deps, input.givenKey);
  // Two users or companies may use the same key, and the service would take both requests for one.
  const ownKey = uuidFrom(`${workspace}/${key}`, namespace);
  part.interactionId = ownKey;
  const fingerprint = describedFingerprintOf(name, input.body);
  // A large body takes long to read and to compare, and a file stores without yielding.
  await othersTurn();
  const performed = await once(
    workspace,
    `write/${key}`,
    fingerprint,
    part.attempt,
    () => (only ? Promise.reject(notKept()) : run(ownKey)),
    isFileBatch(input.body) ? keyLife.fileBatch : keyLife.usual,
  );
  if (performed.replayed && own(wider, name)) moveTo(await store.scopes.current());
  return performed;
}

const notKept = () =>
  new Failure('outcome-unknown', 'The first answer to this request is no longer kept. Nothing was sent.');

/** A call as received. `secrets` are those in its body. */
interface Came {
  method: string;
  url: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
  secrets: readonly string[];
}

/** The answer to a call: its text and content type. */
interface Went {
  text: string;
  type: string;
  replayed: boolean;
}

/** Returns the value in a request to write a setting if that setting is a secret; otherwise []. */
export const secretIn = (body: unknown): string[] => {
  const { key, value } = (body ?? {}) as { key?: unknown; value?: unknown }; // not null or undefined
  return (key === 'companySigningKey' || key === 'userJwt') && typeof value === 'string' ? [value] : [];
};

const responseOf = ({ text, type, replayed }: Went) => ({
  headers: { 'content-type': type, ...(replayed && { 'idempotent-replay': 'true' }) },
  body: text,
});

type Recording = Pick<Workspace, 'clock' | 'config' | 'scope'>;

/**
 * Runs a call and records it in the timeline, even if it fails, but not if it resolves with nothing. Rejects as `run`
 * does.
 */
export async function recorded(
  { clock, config, scope }: Recording,
  part: Exchange,
  came: Came,
  run: () => Promise<Went | undefined>,
): Promise<void> {
  const secrets = secretsOf(config.upstream);
  const startedAt = clock.now();
  const started = clock.steady();
  const keep = (status: number, response: Went): void =>
    note(
      {
        kind: 'call',
        startedAt,
        ms: clock.steady() - started,
        method: came.method,
        url: came.url,
        status,
        // The scope that the call was made for, even if the caller did not name it.
        request: { headers: { [scopeHeader]: scope, ...came.headers }, body: came.body },
        response: responseOf(response),
        secrets: came.secrets.length === 0 ? secrets : [...secrets, ...came.secrets],
      },
      part,
    );
  const problem = (text: string) => ({ text, type: 'application/problem+json', replayed: false });
  try {
    const went = await within(part, run);
    if (went) keep(200, went);
  } catch (error) {
    if (error instanceof Failure) keep(error.problem.status, problem(stringify(problemOf(error, part))));
    else keep(500, problem(''));
    throw error;
  }
}

/** Returns the problem with which a call is answered. */
const problemOf = ({ problem }: Failure, { name, attempt }: Exchange) =>
  calls[name as CallName].method === 'GET' ? problem : { ...problem, ...toldOutcome(attempt) };

const isFileBatch = (body: unknown): boolean => typeof body === 'object' && body !== null && 'fileFormatId' in body;

function checked(schema: z.ZodType | undefined, value: unknown, where: string): unknown {
  if (!schema) return undefined;
  const { data, faults } = fitting(schema, value);
  if (!faults) return data;
  const errors = faults.map(({ path, message }) => ({ path: path || where, message }));
  const sentence = errors.slice(0, 3).map(({ path, message }) => `${path}: ${message}`);
  throw new Failure('invalid-request', `The ${where} is not valid. ${sentence.join('; ')}`, { errors });
}

/** Checks a handler's answer. Throws an Error if it does not fit the call's declaration. */
function answered({ answer }: Shape, name: CallName, value: unknown): unknown {
  const { data, faults } = fitting(answer, value);
  if (!faults) return data;
  throw new Error(`The answer of ${name} is not as declared: ${JSON.stringify(faults)}`);
}

/**
 * Returns the values. Throws `invalid-request` if a path or query parameter contains a control character or lone
 * surrogate.
 */
function plain<Values>(values: Values, where: string): Values {
  for (const [path, value] of Object.entries(values ?? {}))
    if (typeof value === 'string' && visibleId(value) !== value)
      throw new Failure('invalid-request', `The ${where} holds a control character.`, {
        errors: [{ path, message: 'give text without control characters' }],
      });
  return values;
}

function idempotencyKey(key: string): string {
  if (/^[\x21-\x7e]{1,200}$/.test(key)) return key;
  throw new Failure(
    'invalid-request',
    'The header Idempotency-Key holds 1 to 200 visible ASCII characters, such as a UUID.',
    {
      errors: [{ path: 'Idempotency-Key', message: 'give a key such as a UUID, or none' }],
    },
  );
}
