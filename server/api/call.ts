import { setImmediate as othersTurn } from 'node:timers/promises';
import { v5 as uuidFrom } from 'uuid';
import type { z } from 'zod';
import { calls } from '#contract/calls.ts';
import type { CallName } from '#contract/calls.ts';
import { scopeHeader } from '#contract/constants.ts';
import { stringify } from '#contract/json.ts';
import { own } from '#contract/member.ts';
import { shapes } from '#contract/shapes.ts';
import type { Answer, Query } from '#contract/shapes.ts';
import type { User } from '#server/http/user.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { Failure } from '#server/failure.ts';
import { isIdempotencyKey } from '#server/http/singleHeaders.ts';
import { validate } from '#server/http/validate.ts';
import { describedFingerprintOf, writeKeyPrefix } from '#server/calls/idempotency.ts';
import { outcomeMembers } from '#server/calls/writeOutcome.ts';
import { recordExchange, runInCall } from '#server/calls/callContext.ts';
import type { CallContext } from '#server/calls/callContext.ts';
import { discloseSigningKey } from './onboarding.ts';
import { recordProvenance } from '#server/companies/provenance.ts';
import { firstScope } from '#server/companies/companyList.ts';
import { secretsIn, storedSettingsOf } from '#server/companies/settings.ts';
import type { Location } from '#server/storage/schema.ts';
import { secretsOf } from '#server/upstream/config.ts';
import { keyTtl } from '#server/upstream/wire.ts';
import { escapeId } from '#server/escapeId.ts';
import { recordedSetting } from './recordedSetting.ts';
import type { Handler, Handlers, Input, Shape } from './handlers.ts';

/** The namespace (any fixed UUID) of the idempotency keys sent to the service. */
const namespace = '0b8a5f0e-4f3c-4d43-9a57-6a7d7c1f0c55';

/**
 * Writes whose idempotency keys are shared by several scopes: the first attempt may have made another scope current, so
 * a repeat may have another scope.
 */
const sharedKeys: Partial<Record<CallName, 'workspace' | 'organisation'>> = {
  createOrganisation: 'workspace',
  createCompany: 'organisation',
};

/** Returns the scope to which a write's idempotency key belongs. */
async function keyScope(name: CallName, { scope, store }: CompanyContext): Promise<string> {
  if (sharedKeys[name] === 'workspace') return firstScope;
  const scopes = sharedKeys[name] === 'organisation' ? await store.scopes.list() : [];
  const ownScope = scopes.find((each) => each.scope === scope);
  const firstOfOrganisation =
    ownScope && scopes.find(({ organisationId }) => organisationId === ownScope.organisationId);
  return firstOfOrganisation?.scope ?? scope;
}

/** Returns what is stored under a write's idempotency key; undefined if nobody has claimed it. */
export const claimOf = async (name: CallName, deps: CompanyContext, key: string) => {
  const at = { workspace: deps.store.workspace, companyKey: await keyScope(name, deps) };
  return deps.store.idempotencyKeys.find(at, writeKeyPrefix + key);
};

/**
 * Returns the idempotency key that is sent to the service: two users or companies may use the same key, and the service
 * would take both requests for one. A write that an earlier version has claimed keeps the key that was sent then.
 */
export const serviceKey = (at: Location, key: string, former?: string): string =>
  uuidFrom(
    former === undefined
      ? JSON.stringify([at.workspace, at.companyKey, key])
      : `${at.workspace}/${former.slice(writeKeyPrefix.length)}`,
    namespace,
  );

/** The unchecked input of a call. */
export interface UncheckedInput {
  params: unknown;
  query: unknown;
  body: unknown;
  /** The idempotency key of a write; '' for any other call. */
  givenKey: string;
  origin: () => string;
  user: User;
  ofPage: boolean;
  switchCompany: (scope: string) => void;
}

/** `replayed`: the answer is that of an earlier, identical request. */
interface CallResult {
  answer: unknown;
  replayed: boolean;
}

/**
 * Calls a handler: checks its input and output by the declaration of the call, and runs a write once per idempotency key
 * and company. `replayOnly`: return stored answers only; a write whose first answer is no longer stored rejects with
 * `outcome-unknown` and is not sent.
 */
export async function callHandler(
  name: CallName,
  handler: Handlers[CallName],
  context: CompanyContext,
  callContext: CallContext,
  unchecked: UncheckedInput,
  replayOnly = false,
): Promise<CallResult> {
  const { scope, store, idempotency, log, upstream } = context;
  const { params, query, body, givenKey, origin, user, ofPage, switchCompany: onSwitch } = unchecked;
  const shape: Shape = shapes[name];
  const isWrite = 'write' in calls[name];
  let current = scope;
  const switchCompany = (to: string) => {
    current = to;
    onSwitch(to);
  };
  const input = {
    givenKey: isWrite ? idempotencyKey(givenKey) : '',
    params: requirePlainText(validInput(shape.params, params, 'path'), 'path'),
    query: requirePlainText(validInput(shape.query, query, 'query'), 'query'),
    body: validInput(shape.body, body, 'body'),
    origin,
    user,
    ofPage,
    switchCompany,
  };
  // The key is also the interaction id, so that all repeats of a write have the same one.
  const run = async (key: string) => {
    callContext.interactionId = key;
    const given = { key, ...input } as Input<CallName>; // checked by the handler's declaration
    const handle = handler as Handler<CallName>; // as above
    const answer = validAnswer(shape, name, await handle(context, given)) as Answer<CallName>; // just checked
    if (callContext.write)
      await recordProvenance({ store: current === scope ? store : store.at(current), log }, name, {
        body: given.body,
        answer,
        call: callContext,
      });
    return answer;
  };
  if (!isWrite) return { answer: await run(callContext.interactionId), replayed: false };
  const at = { workspace: store.workspace, companyKey: await keyScope(name, context) };
  callContext.interactionId = serviceKey(at, input.givenKey);
  const fingerprint = describedFingerprintOf(name, input.body);
  // A large body takes long to read and to compare, and a file stores without yielding.
  await othersTurn();
  const result = await idempotency(
    at,
    writeKeyPrefix + input.givenKey,
    fingerprint,
    callContext.attempt,
    (former) => (replayOnly ? Promise.reject(answerNotStored()) : run(serviceKey(at, input.givenKey, former))),
    {
      keyTtl: isFileBatch(input.body) ? keyTtl.fileBatch : keyTtl.usual,
      serviceClock: upstream.serviceClock,
    },
  );
  if (result.replayed && own(sharedKeys, name)) switchCompany(await store.scopes.current());
  if (name !== 'createOrganisation' || (input.query as Query<'createOrganisation'>).reveal === 'false') return result;
  return { ...result, answer: await discloseSigningKey(store, result.answer as Answer<'createOrganisation'>) }; // of the same call
}

const answerNotStored = () =>
  new Failure('outcome-unknown', 'The first answer to this request is no longer kept. Nothing was sent.');

/** A call as received. */
interface RecordedRequest {
  method: string;
  url: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
}

/** The answer to a call: its text and content type. */
export interface RecordedResponse {
  text: string;
  type: string;
  /** The length of a body that is not `text` in UTF-8. */
  bytes?: number;
  replayed: boolean;
}

const responseOf = ({ text, type, bytes, replayed }: RecordedResponse) => ({
  headers: { 'content-type': type, ...(replayed && { 'idempotent-replay': 'true' }) },
  body: text,
  ...(bytes !== undefined && { bytes }),
});

type Recording = Pick<CompanyContext, 'clock' | 'config' | 'scope' | 'store'>;

/** The secrets of the company, which a caller may send under any name; none if they cannot be read. */
const storedSecrets = ({ store }: Pick<CompanyContext, 'store'>): Promise<string[]> =>
  storedSettingsOf(store).then(secretsIn, () => []);

/**
 * Runs a call and records it in the timeline, even if it fails, but not if it resolves with nothing. Rejects as `run`
 * does.
 */
export async function recordCall(
  { clock, config, scope, store }: Recording,
  callContext: CallContext,
  request: RecordedRequest,
  run: () => Promise<RecordedResponse | undefined>,
): Promise<void> {
  const startedAt = clock.now();
  const started = clock.steady();
  const record = async (status: number, response: RecordedResponse): Promise<void> => {
    const ms = clock.steady() - started;
    const { url, body } = recordedSetting(callContext.name, request, status);
    const stored = request.body === '' ? [] : await storedSecrets({ store });
    recordExchange(
      {
        ...({ kind: 'call', startedAt, ms, method: request.method, url, status } as const),
        // The scope that the call was made for, even if the caller did not name it.
        request: { headers: { [scopeHeader]: scope, ...request.headers }, body },
        response: responseOf(response),
        secrets: [...secretsOf(config.upstream), ...stored],
      },
      callContext,
    );
  };
  const problem = (text: string) => ({ text, type: 'application/problem+json', replayed: false });
  try {
    const response = await runInCall(callContext, run);
    if (response) await record(200, response);
  } catch (error) {
    if (error instanceof Failure) await record(error.problem.status, problem(stringify(problemOf(error, callContext))));
    else await record(500, problem(''));
    throw error;
  }
}

/** Returns the problem with which a call is answered. */
const problemOf = ({ problem }: Failure, { name, attempt }: CallContext) =>
  calls[name as CallName].method === 'GET' ? problem : { ...problem, ...outcomeMembers(attempt) };

const isFileBatch = (body: unknown): boolean => typeof body === 'object' && body !== null && 'fileFormatId' in body;

function validInput(schema: z.ZodType | undefined, value: unknown, where: string): unknown {
  if (!schema) return undefined;
  const { data, faults } = validate(schema, value);
  if (!faults) return data;
  const errors = faults.map(({ path, message }) => ({ path: path || where, message }));
  const sentence = errors.slice(0, 3).map(({ path, message }) => `${path}: ${message}`);
  throw new Failure('invalid-request', `The ${where} is not valid. ${sentence.join('; ')}`, { errors });
}

/** Checks a handler's answer. Throws an Error if it does not fit the call's declaration. */
function validAnswer({ answer }: Shape, name: CallName, value: unknown): unknown {
  const { data, faults } = validate(answer, value);
  if (!faults) return data;
  throw new Error(`The answer of ${name} is not as declared: ${JSON.stringify(faults)}`);
}

/**
 * Returns the values. Throws `invalid-request` if a path or query parameter contains a control character or lone
 * surrogate.
 */
function requirePlainText<Values>(values: Values, where: string): Values {
  for (const [path, value] of Object.entries(values ?? {}))
    if (typeof value === 'string' && escapeId(value) !== value)
      throw new Failure('invalid-request', `The ${where} holds a control character.`, {
        errors: [{ path, message: 'give text without control characters' }],
      });
  return values;
}

function idempotencyKey(key: string): string {
  if (isIdempotencyKey(key)) return key;
  throw new Failure(
    'invalid-request',
    'The header Idempotency-Key holds 1 to 200 visible ASCII characters, such as a UUID.',
    {
      errors: [{ path: 'Idempotency-Key', message: 'give a key such as a UUID, or none' }],
    },
  );
}
