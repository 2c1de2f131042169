import { setImmediate as othersTurn } from 'node:timers/promises';
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
import { fingerprintOf } from '#server/calls/fingerprint.ts';
import { outcomeMembers } from '#server/calls/writeOutcome.ts';
import { recordExchange, runInCall } from '#server/calls/callContext.ts';
import type { CallContext } from '#server/calls/callContext.ts';
import { discloseSigningKey } from './onboarding.ts';
import { firstScope } from '#server/companies/companyList.ts';
import { secretsIn, storedSettingsOf } from '#server/companies/settings.ts';
import type { Write } from '#server/storage/writes.ts';
import { secretsOf } from '#server/upstream/config.ts';
import { keyTtlOf } from '#server/upstream/wire.ts';
import { escapeId } from '#server/escapeId.ts';
import { recordedSetting } from './recordedSetting.ts';
import type { createJournal } from '#server/writes/journal.ts';
import { serviceKey } from '#server/writes/serviceKey.ts';
import type { Handler, Handlers, Input, Shape, WriteName, WriteOf } from './handlers.ts';

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

/** Returns the write that was claimed under a key; undefined if nobody has claimed it. */
export const writeUnder = async (name: CallName, context: CompanyContext, key: string): Promise<Write | undefined> =>
  context.store.writes.find({ workspace: context.store.workspace, companyKey: await keyScope(name, context) }, key);

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

/** Makes the function that calls handlers; `handlerOf` returns that of a call. */
export function createCaller(
  journal: ReturnType<typeof createJournal>,
  handlerOf: (name: CallName) => Handlers[CallName],
) {
  /**
   * Calls a handler: checks its input and output by the declaration of the call, and runs a write once per idempotency key
   * and company. `replayOnly`: return stored answers only; a write whose first answer is no longer stored rejects with
   * `outcome-unknown` and is not sent.
   */
  return async function callHandler(
    name: CallName,
    context: CompanyContext,
    callContext: CallContext,
    unchecked: UncheckedInput,
    replayOnly = false,
  ): Promise<CallResult> {
    const { store } = context;
    const { params, query, body, givenKey, origin, user, ofPage, switchCompany } = unchecked;
    const shape: Shape = shapes[name];
    const handler = handlerOf(name);
    const input = {
      params: requirePlainText(validInput(shape.params, params, 'path'), 'path'),
      query: requirePlainText(validInput(shape.query, query, 'query'), 'query'),
      body: validInput(shape.body, body, 'body'),
      ...{ origin, user, ofPage, switchCompany },
      repeat: async ({ call, key, fingerprint }: Write, first: unknown) =>
        void (await run(call as WriteName, key, { ...input, body: first, query: {} }, fingerprint)), // as it was claimed
    };

    async function run(write: WriteName, key: string, asked: typeof input, print?: string): Promise<CallResult> {
      const at = { workspace: store.workspace, companyKey: await keyScope(write, context), key };
      // The key is also the interaction id, so that all repeats of a write have the same one.
      const sent = serviceKey(at, key);
      callContext.interactionId = sent;
      const fingerprint = print ?? store.tag('fingerprint', fingerprintOf(write, asked.body));
      // A large body takes long to read and to compare, and a file stores without yielding.
      await othersTurn();
      const result = await journal.run(context, checked(write, handlerOf(write) as WriteOf<CallName>), {
        ...at,
        ...{ call: write, fingerprint, serviceKey: sent, attempt: callContext.attempt, replayOnly },
        input: { ...asked, key: sent } as Input<CallName>, // checked by the call's declaration
        keyTtl: keyTtlOf(asked.body),
      });
      if (result.replayed && own(sharedKeys, write)) switchCompany(await store.scopes.current());
      return result;
    }

    if (typeof handler === 'function') {
      const handle = handler as Handler<CallName>; // checks its input by the call's declaration
      const answer = await handle(context, { ...input, key: callContext.interactionId } as Input<CallName>); // likewise
      return { answer: validAnswer(shape, name, answer), replayed: false };
    }
    const result = await run(
      name as WriteName,
      'write' in calls[name] ? idempotencyKey(givenKey) : context.newId(),
      input,
    );
    if (name !== 'createOrganisation' || (input.query as Query<'createOrganisation'>).reveal === 'false') return result;
    return { ...result, answer: await discloseSigningKey(store, result.answer as Answer<'createOrganisation'>) }; // of the same call
  };
}

export type CallHandler = ReturnType<typeof createCaller>;

/** A write whose answer is checked by the declaration of its call. */
const checked = (name: CallName, write: WriteOf<CallName>): WriteOf<CallName> => ({
  ...write,
  keep: async (...given) => validAnswer(shapes[name], name, await write.keep(...given)) as Answer<CallName>, // just checked
});

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
