import type { Context, Middleware } from 'koa';
import type { z } from 'zod';
import { calls } from '#contract/calls.ts';
import type { CallName } from '#contract/calls.ts';
import { scopeHeader, stepHeader } from '#contract/constants.ts';
import { stringify } from '#contract/json.ts';
import type { Answer, Body, Params, Query } from '#contract/shapes.ts';
import { userOf } from '#server/access/user.ts';
import type { User } from '#server/access/user.ts';
import type { Deps } from '#server/deps.ts';
import type { Exchange } from '#server/record/exchange.ts';
import type { Upstream } from '#server/upstream/client.ts';
import type { Timeline } from '#server/record/timeline.ts';
import type { LastingAnswer, LastingAnswers } from './lasting.ts';
import { Streamed } from '#server/http/streamed.ts';
import { attemptOf } from '#server/writes/outcome.ts';
import { perform, recorded, recorder, responseOf, secretIn, wentOf } from './perform.ts';

/** The checked input of a call. */
export interface Input<C extends CallName> {
  params: Params<C>;
  query: Query<C>;
  body: Body<C>;
  /** The idempotency key sent to the service, the same for every repeat of a write. */
  key: string;
  /** The caller's idempotency key; '' for a call that needs none. */
  givenKey: string;
  /** Returns the service. A read's requests are recorded as parts of the call only if made through this. */
  service: () => Upstream;
  /** The console's origin as the browser sees it, e.g. http://127.0.0.1:3000 */
  origin: () => string;
  user: User;
  /** Call this if the call has made another scope current. */
  moveTo: (scope: string) => void;
  /** Sends the answer with this validator as its ETag; does nothing if it is ''. */
  tag: (validator: string) => void;
  /** Call this for a read whose answer is valid while `holds` resolves with true. */
  lasts: (holds: () => Promise<boolean>) => void;
}
/** Handles a call; an answer that is a text may be streamed. */
export type Handler<C extends CallName> = (
  input: Input<C>,
) => Promise<Answer<C> | (string extends Answer<C> ? Streamed : never)>;
export type Handlers = { [C in CallName]: Handler<C> };

/** The parts of a call's declaration in the contract; absent parts are not checked. */
export interface Shape {
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  answer: z.ZodType;
}

/** The dependencies and handlers of the calls of one scope. */
export interface Workspace extends Deps {
  workspace: string;
  handlers: Handlers;
  timeline: Timeline;
}

/** Finds a call's dependencies; both functions throw if the caller has no workspace. */
interface Places {
  of: (ctx: Context, user: User) => Promise<Workspace>;
  /** The caller's workspace and a scope that is known to exist. */
  at: (ctx: Context, user: User, scope: string) => Workspace;
  answers: LastingAnswers;
}

/**
 * Calls that are not recorded: reading the timeline; repeating a call, which records the repeated call itself; and
 * reading the fault lab, which every page does.
 */
const unrecorded: readonly CallName[] = [
  'getTimeline',
  'repeatCall',
  ...(['getLab', 'getLabBatches', 'getLabWebhooks', 'explainSignature', 'checkWebhook'] as const),
];

const json = 'application/json; charset=utf-8';

/** Handles a call by its declaration: checks input and output, and runs a write once per idempotency key and company. */
export function guarded<C extends CallName>(name: C, { of, at, answers }: Places): Middleware {
  const isRead = calls[name].method === 'GET';
  return async (ctx) => {
    const user = userOf(ctx);
    const { workspace } = user;
    const known = isRead ? await answers.get(workspace, ctx) : undefined;
    if (known) {
      sendAgain(ctx, name, at(ctx, user, known.scope), known);
      return;
    }
    const deps = await of(ctx, user);
    const moveTo = (to: string) => ctx.set(scopeHeader, to);
    moveTo(deps.scope);
    const part = exchangeOf(ctx, name, deps);
    const came = cameWith(ctx);
    let holds: LastingAnswer['holds'] | undefined;
    const run = async () => {
      const asked = {
        params: ctx['params'] as unknown,
        query: ctx.query,
        body: ctx.request.body,
        givenKey: ctx.get('Idempotency-Key'),
        origin: () => ctx.get('Origin') || `${ctx.protocol}://${ctx.host}`,
        user,
        moveTo,
        tag: (validator: string) => validator && ctx.set('ETag', validator),
        lasts: (given: () => Promise<boolean>) => (holds = given),
      };
      ctx.set('Cache-Control', 'no-store');
      const { answer, replayed } = await perform(name, deps, part, asked);
      if (replayed) ctx.set('Idempotent-Replay', 'true');
      respond(ctx, answer);
      const went = wentOf(answer, ctx.response.type, replayed, () => String(ctx.body));
      if (isRead && holds) await answers.keep(workspace, ctx, { scope: deps.scope, response: responseOf(went), holds });
      return went;
    };
    await (unrecorded.includes(name) ? run() : recorded(deps, part, came, run));
  };
}

/** Sends a cached answer; records it like the first time. */
function sendAgain(ctx: Context, name: CallName, deps: Workspace, { scope, response, sent }: LastingAnswer): void {
  const keep = recorder(deps, exchangeOf(ctx, name, deps), cameWith(ctx));
  ctx.set(scopeHeader, scope);
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Content-Type', json);
  ctx.body = sent;
  keep(200, response);
}

/** Returns a call as it is recorded, with the relevant headers. */
const cameWith = (ctx: Context) => ({
  method: ctx.method,
  url: ctx.originalUrl,
  headers: {
    'idempotency-key': ctx.headers['idempotency-key'] || undefined,
    'content-type': ctx.headers['content-type'] || undefined,
    [stepHeader]: ctx.headers[stepHeader] || undefined,
  },
  body: ctx.request.rawBody ?? '',
  secrets: secretIn(ctx.request.body),
});

/**
 * Returns the exchange under which a call is recorded; its step header (`journey/state`) names the step of the page
 * that made it.
 */
function exchangeOf(ctx: Context, name: CallName, { timeline, newId }: Workspace): Exchange {
  const [journey = '', step = ''] = /^[\w.]{1,60}\/[\w.,]{1,100}$/.test(ctx.get(stepHeader))
    ? ctx.get(stepHeader).split('/')
    : [];
  return { timeline, interactionId: newId(), journey, step, name, attempt: attemptOf(ctx) };
}

/** Serialised texts of immutable answers. */
const texts = new WeakMap<object, string>();
function textOf(answer: unknown): string {
  if (typeof answer !== 'object' || answer === null || !Object.isFrozen(answer)) return stringify(answer);
  const text = texts.get(answer) ?? stringify(answer);
  texts.set(answer, text);
  return text;
}

/**
 * Sends an answer. JSON is written with the exact digits of numbers, which Koa would change. A text from the service,
 * such as a payment file, could contain markup, so it is sent as a download that no browser executes.
 */
function respond(ctx: Context, answer: unknown): void {
  if (typeof answer !== 'string' && !(answer instanceof Streamed)) {
    // Set first, otherwise Koa searches the text for the type.
    ctx.set('Content-Type', json);
    ctx.body = textOf(answer);
    return;
  }
  ctx.body = typeof answer === 'string' ? answer : answer.stream;
  ctx.type = 'text/plain; charset=utf-8';
  ctx.set('Content-Disposition', 'attachment; filename="payment-file.txt"');
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('Content-Security-Policy', "sandbox; default-src 'none'; frame-ancestors 'none'");
}
