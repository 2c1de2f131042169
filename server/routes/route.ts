import type { Context, Middleware } from 'koa';
import type { z } from 'zod';
import { calls } from '#contract/calls.ts';
import type { CallName } from '#contract/calls.ts';
import { scopeHeader, stepHeader } from '#contract/constants.ts';
import { stringify } from '#contract/json.ts';
import { shapes } from '#contract/shapes.ts';
import type { Answer, Body, Params, Query } from '#contract/shapes.ts';
import { userOf } from '#server/access/user.ts';
import type { User } from '#server/access/user.ts';
import type { Deps } from '#server/deps.ts';
import { Failure } from '#server/failure.ts';
import { fitting } from '#server/fitting.ts';
import { describedFingerprintOf } from '#server/once.ts';
import { writing } from '#server/outcome.ts';
import { noteMade } from '#server/record/made.ts';
import { note, within } from '#server/record/exchange.ts';
import type { Exchange } from '#server/record/exchange.ts';
import type { Timeline } from '#server/record/timeline.ts';
import { firstScope } from '#server/store/namespaces.ts';
import { secretsOf } from '#server/upstream/config.ts';
import { keyLife } from '#server/upstream/wire.ts';
import { visibleId } from '#server/visible.ts';
import { v5 as uuidFrom } from 'uuid';

/** The checked input of a call. */
interface Input<C extends CallName> {
  params: Params<C>;
  query: Query<C>;
  body: Body<C>;
  /** The idempotency key towards the service, the same for every repeat of a write. */
  key: string;
  /** The caller's own key; '' for a call that needs none. */
  givenKey: string;
  /** The console's origin as the browser sees it, e.g. http://127.0.0.1:3000 */
  origin: string;
  user: User;
  /** Reports that the call has made another scope current. */
  moveTo: (scope: string) => void;
}
type Handler<C extends CallName> = (input: Input<C>) => Promise<Answer<C>>;
export type Handlers = { [C in CallName]: Handler<C> };

/** The parts of a call's declaration in the contract; absent ones are ignored. */
export interface Shape {
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  answer: z.ZodType;
}

/** Namespace of the keys sent to the service; any fixed UUID. */
const namespace = '0b8a5f0e-4f3c-4d43-9a57-6a7d7c1f0c55';

/** The calls of one scope. */
interface Workspace extends Deps {
  workspace: string;
  handlers: Handlers;
  timeline: Timeline;
}

/** Writes whose repeats may come from another scope, as the first one may have made another scope current. */
const wider: Partial<Record<CallName, 'workspace' | 'organisation'>> = {
  createOrganisation: 'workspace',
  createCompany: 'organisation',
};

/** The name under which a write's idempotency key is stored in its workspace; the key alone in the first scope. */
async function fullKey(name: CallName, { scope, store }: Deps, key: string): Promise<string> {
  if (wider[name] === 'workspace') return key;
  const scopes = wider[name] === 'organisation' ? await store.scopes.list() : [];
  const own = scopes.find((each) => each.scope === scope);
  const home = own && scopes.find(({ organisationId }) => organisationId === own.organisationId);
  const space = home?.scope ?? scope;
  return space === firstScope ? key : `${space}/${key}`;
}

/**
 * Enforces a call's declaration: checks input and output, and lets a write happen once for each key of a company.
 * `workspaceOf` throws if the caller has no workspace.
 */
export function guarded<C extends CallName>(name: C, workspaceOf: (ctx: Context) => Promise<Workspace>): Middleware {
  const shape: Shape = shapes[name];
  const { method } = calls[name];
  const isWrite = 'write' in calls[name];

  return async (ctx) => {
    const deps = await workspaceOf(ctx);
    const { workspace, scope, store, handlers, once, newId, log } = deps;
    let current = scope;
    const moveTo = (to: string) => {
      current = to;
      ctx.set(scopeHeader, to);
    };
    moveTo(scope);
    const handle = handlers[name] as Handler<C>; // the same name's handler
    const part = exchangeOf(ctx, name, deps);
    const run = async (key: string, input: object) => {
      // The service is asked under the key of the intention, so that every repeat of it has the same interaction id.
      part.interactionId = key;
      const given = { ...input, key } as Input<C>; // checked below by the same declaration
      const answer = answered(shape, name, await handle(given)) as Answer<C>; // just checked
      await noteMade({ store: store.at(current), log }, name, { body: given.body, answer, part });
      return answer;
    };

    await recorded(ctx, deps, name, part, async () => {
      const givenKey = isWrite ? idempotencyKey(ctx.get('Idempotency-Key')) : '';
      const input = {
        params: plain(checked(shape.params, ctx['params'], 'path'), 'path'),
        query: plain(checked(shape.query, ctx.query, 'query'), 'query'),
        body: checked(shape.body, ctx.request.body, 'body'),
        origin: ctx.get('Origin') || `${ctx.protocol}://${ctx.host}`,
        user: userOf(ctx),
        moveTo,
        givenKey,
      };
      ctx.set('Cache-Control', 'no-store');
      if (!isWrite) {
        const once = () => run(newId(), input);
        respond(ctx, await (method === 'GET' ? once() : writing(once)));
        return;
      }
      const key = await fullKey(name, deps, givenKey);
      const { answer, replayed } = await once(
        `write/${key}`,
        describedFingerprintOf(name, input.body),
        // Two users or companies may use the same key; the service would take both for one request.
        () => run(uuidFrom(`${workspace}/${key}`, namespace), input),
        isFileBatch(input.body) ? keyLife.fileBatch : keyLife.usual,
      );
      if (replayed) ctx.set('Idempotent-Replay', 'true');
      if (replayed && name in wider) moveTo(await store.scopes.current());
      respond(ctx, answer);
    });
  };
}

/** What a call is recorded as: `journey/state` in its header says which step of which page made it. */
function exchangeOf(ctx: Context, name: CallName, { timeline, newId }: Workspace): Exchange {
  const [journey = '', step = ''] = /^[\w.]{1,60}\/[\w.,]{1,100}$/.test(ctx.get(stepHeader))
    ? ctx.get(stepHeader).split('/')
    : [];
  return { timeline, interactionId: newId(), journey, step, name };
}

/** Headers of a call that say something about it. */
const telling = ['idempotency-key', 'content-type', scopeHeader, stepHeader];

/** The value of a setting that is a secret. */
const secretIn = (body: unknown): string[] => {
  const { key, value } = (body ?? {}) as { key?: unknown; value?: unknown }; // any value but null and undefined has members to ask for
  return (key === 'companySigningKey' || key === 'userJwt') && typeof value === 'string' ? [value] : [];
};

/** Deals with a call and keeps what passed, also if it fails. */
async function recorded(
  ctx: Context,
  { clock, config }: Workspace,
  name: CallName,
  part: Exchange,
  run: () => Promise<void>,
): Promise<void> {
  // The record is not about itself.
  if (name === 'getTimeline') return run();
  const startedAt = clock.now();
  const started = clock.steady();
  const keep = (status: number, answer: string) =>
    note(
      {
        kind: 'call',
        startedAt,
        ms: clock.steady() - started,
        method: ctx.method,
        url: ctx.originalUrl,
        status,
        request: {
          headers: Object.fromEntries(telling.map((each) => [each, ctx.get(each) || undefined])),
          body: ctx.request.rawBody ?? '',
        },
        response: { headers: { 'content-type': ctx.response.type }, body: answer },
        secrets: [...secretsOf(config.upstream), ...secretIn(ctx.request.body)],
      },
      part,
    );
  try {
    await within(part, run);
    keep(ctx.status, typeof ctx.body === 'string' ? ctx.body : '');
  } catch (error) {
    if (error instanceof Failure) keep(error.problem.status, stringify(error.problem));
    else keep(500, '');
    throw error;
  }
}

/**
 * Numbers keep their digits, which Koa's own JSON would change. A text of the service, such as a payment file, might be
 * markup: it is sent as a download that no browser runs.
 */
function respond(ctx: Context, answer: unknown): void {
  if (typeof answer !== 'string') {
    ctx.body = stringify(answer);
    ctx.type = 'json';
    return;
  }
  ctx.body = answer;
  ctx.type = 'text/plain; charset=utf-8';
  ctx.set('Content-Disposition', 'attachment; filename="payment-file.txt"');
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('Content-Security-Policy', "sandbox; default-src 'none'; frame-ancestors 'none'");
}

const isFileBatch = (body: unknown): boolean => typeof body === 'object' && body !== null && 'fileFormatId' in body;

function checked(schema: z.ZodType | undefined, value: unknown, where: string): unknown {
  if (!schema) return undefined;
  const { data, faults } = fitting(schema, value);
  if (!faults) return data;
  const errors = faults.map(({ path, message }) => ({ path: path || where, message }));
  const sentence = errors.slice(0, 3).map(({ path, message }) => `${path}: ${message}`);
  throw new Failure('invalid-request', `The ${where} is not valid. ${sentence.join('; ')}`, { errors });
}

/** Throws if a handler broke its declaration. */
function answered({ answer }: Shape, name: CallName, value: unknown): unknown {
  const { data, faults } = fitting(answer, value);
  if (!faults) return data;
  throw new Error(`The answer of ${name} is not as declared: ${JSON.stringify(faults)}`);
}

/** Decoded ids and texts of an address must contain no control characters or lone surrogates. */
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
  throw new Failure('invalid-request', 'The header Idempotency-Key is needed: 1 to 200 characters, such as a UUID.', {
    errors: [{ path: 'Idempotency-Key', message: 'a key such as a UUID is required' }],
  });
}
