import etag from '@koa/etag';
import type { Context, Middleware } from 'koa';
import { calls } from '#contract/calls.ts';
import type { CallName } from '#contract/calls.ts';
import { scopeHeader, stepHeader } from '#contract/constants.ts';
import { stringify } from '#contract/json.ts';
import { userOf } from '#server/http/user.ts';
import type { Exchange } from '#server/calls/callContext.ts';
import { attemptOf } from '#server/calls/writeOutcome.ts';
import { perform, recorded, secretIn } from './call.ts';
import type { Workspace } from './handlers.ts';

/**
 * Calls that are not recorded: reading the timeline; repeating a call, which records the repeated call itself; and
 * reading the fault lab, which every page does.
 */
const unrecorded: readonly CallName[] = [
  'getTimeline',
  'repeatCall',
  ...(['getLab', 'getLabBatches', 'getLabWebhooks', 'explainSignature', 'checkWebhook'] as const),
];

/**
 * Calls that a waiting page repeats each second. An answer that the page has already is sent as 304 and not recorded: a
 * timeline full of "nothing yet" tells nobody anything.
 */
const polled: readonly CallName[] = ['getMessage'];
const tag = etag();

const json = 'application/json; charset=utf-8';

/**
 * Handles a call by its declaration: checks input and output, and runs a write once per idempotency key and company.
 * `of` finds the dependencies of the caller's workspace; it throws if there is none.
 */
export function guarded<C extends CallName>(name: C, of: (ctx: Context) => Promise<Workspace>): Middleware {
  return async (ctx) => {
    const deps = await of(ctx);
    const moveTo = (to: string) => ctx.set(scopeHeader, to);
    moveTo(deps.scope);
    const part = exchangeOf(ctx, name, deps);
    const key = keyOf(ctx, name, deps);
    const came = cameWith(ctx, key);
    const answer = async () => {
      const asked = {
        params: ctx['params'] as unknown,
        query: ctx.query,
        body: ctx.request.body,
        givenKey: key,
        origin: () => ctx.get('Origin') || `${ctx.protocol}://${ctx.host}`,
        user: userOf(ctx),
        moveTo,
      };
      ctx.set('Cache-Control', 'no-store');
      const performed = await perform(name, deps, part, asked);
      if (performed.replayed) ctx.set('Idempotent-Replay', 'true');
      respond(ctx, performed.answer);
      return { text: String(ctx.body), type: ctx.response.type, replayed: performed.replayed };
    };
    const poll = async () => {
      let went: Awaited<ReturnType<typeof answer>> | undefined;
      await tag(ctx, async () => void (went = await answer()));
      // Not `ctx.fresh`: a browser's `Cache-Control: no-cache` is for caches on the way.
      if (ctx.get('If-None-Match').replace(/^W\//, '') !== ctx.response.get('ETag')) return went;
      ctx.status = 304;
      return undefined;
    };
    const run = polled.includes(name) ? poll : answer;
    await (unrecorded.includes(name) ? run() : recorded(deps, part, came, run));
  };
}

/**
 * Returns the idempotency key of a write; '' for any other call. A request without one gets a new key, which the answer
 * names in the same header.
 */
function keyOf(ctx: Context, name: CallName, { newId }: Workspace): string {
  if (!('write' in calls[name])) return '';
  const given = ctx.get('Idempotency-Key');
  if (given !== '') return given;
  const assigned = newId();
  ctx.set('Idempotency-Key', assigned);
  return assigned;
}

/**
 * Returns a call as it is recorded, with the relevant headers and the key of a write, under which it can be repeated
 * from the timeline.
 */
const cameWith = (ctx: Context, key: string) => ({
  method: ctx.method,
  url: ctx.originalUrl,
  headers: {
    'idempotency-key': key || undefined,
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

/**
 * Sends an answer. JSON is written with the exact digits of numbers, which Koa would change. A text from the service,
 * such as a payment file, could contain markup, so it is sent as a download that no browser executes.
 */
function respond(ctx: Context, answer: unknown): void {
  if (typeof answer !== 'string') {
    // Set first, otherwise Koa searches the text for the type.
    ctx.set('Content-Type', json);
    ctx.body = stringify(answer);
    return;
  }
  ctx.body = answer;
  ctx.type = 'text/plain; charset=utf-8';
  ctx.set('Content-Disposition', 'attachment; filename="payment-file.txt"');
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('Content-Security-Policy', "sandbox; default-src 'none'; frame-ancestors 'none'");
}
