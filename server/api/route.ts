import etag from '@koa/etag';
import { encodeExtended, format } from 'content-disposition';
import type { Context, Middleware } from 'koa';
import type { PaymentFile } from '#contract/batch.ts';
import { calls } from '#contract/calls.ts';
import type { CallName } from '#contract/calls.ts';
import { scopeHeader, stepHeader } from '#contract/constants.ts';
import { stringify } from '#contract/json.ts';
import { decodedFile } from '#rules/decodedFile.ts';
import { userOf } from '#server/http/user.ts';
import { noteWrite } from '#server/http/writeLog.ts';
import type { CallContext } from '#server/calls/callContext.ts';
import { attemptOf } from '#server/calls/writeOutcome.ts';
import { recordCall, type CallHandler, type RecordedResponse } from './call.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';

/**
 * Calls that are not recorded: reading the timeline, and what is compared with the description; repeating a call, which records the repeated call itself; and
 * reading the fault lab, which every page does.
 */
const unrecordedCalls: readonly CallName[] = [
  'getTimeline',
  'getDescription',
  'saveSituation',
  'openSituation',
  'checkSituation',
  'getDrift',
  'repeatCall',
  ...(['getLab', 'getLabBatches', 'getLabWebhooks', 'explainSignature', 'checkWebhook'] as const),
];

/**
 * Calls that a waiting page repeats each second. An answer that the page has already is sent as 304 and not recorded: a
 * timeline full of "nothing yet" tells nobody anything.
 */
const polledCalls: readonly CallName[] = ['getMessage'];
const setEtag = etag();

const json = 'application/json; charset=utf-8';

/** Makes the route of a call. `contextOf` finds the company for which a request calls it; it throws if there is none. */
export function route(
  name: CallName,
  callHandler: CallHandler,
  contextOf: (ctx: Context) => Promise<CompanyContext>,
): Middleware {
  return async (ctx) => {
    const context = await contextOf(ctx);
    const switchCompany = (to: string) => ctx.set(scopeHeader, to);
    switchCompany(context.scope);
    const call = callContextOf(ctx, name, context);
    const { scopes, workspace } = context.store;
    noteWrite(ctx, {
      call: name,
      workspace,
      // A call may have made or chosen another one.
      company: async () => (await scopes.read(ctx.response.get(scopeHeader))).companyId ?? '',
      interactionId: () => call.interactionId,
    });
    const key = keyOf(ctx, name, context);
    const request = recordedRequest(ctx, key);
    const answer = async () => {
      const input = {
        params: ctx['params'] as unknown,
        query: ctx.query,
        body: ctx.request.body,
        givenKey: key,
        origin: () => ctx.get('Origin') || `${ctx.protocol}://${ctx.host}`,
        user: userOf(ctx),
        ofPage: ctx.get(scopeHeader) !== '',
        switchCompany,
      };
      ctx.set('Cache-Control', 'no-store');
      const result = await callHandler(name, context, call, input);
      if (result.replayed) ctx.set('Idempotent-Replay', 'true');
      const sent = 'file' in calls[name] ? sendFile(ctx, result.answer as PaymentFile) : sendJson(ctx, result.answer); // by its declaration
      return { ...sent, type: ctx.response.get('Content-Type'), replayed: result.replayed };
    };
    const poll = async () => {
      let response: Awaited<ReturnType<typeof answer>> | undefined;
      await setEtag(ctx, async () => void (response = await answer()));
      // Not `ctx.fresh`: a browser's `Cache-Control: no-cache` is for caches on the way.
      if (ctx.get('If-None-Match').replace(/^W\//, '') !== ctx.response.get('ETag')) return response;
      ctx.status = 304;
      return undefined;
    };
    const run = polledCalls.includes(name) ? poll : answer;
    await (unrecordedCalls.includes(name) ? run() : recordCall(context, call, request, run));
  };
}

/**
 * Returns the idempotency key of a write; '' for any other call. A request without one gets a new key, which the answer
 * names in the same header.
 */
function keyOf(ctx: Context, name: CallName, { newId }: CompanyContext): string {
  if (!('write' in calls[name])) return '';
  const givenKey = ctx.get('Idempotency-Key');
  if (givenKey !== '') return givenKey;
  const assigned = newId();
  ctx.set('Idempotency-Key', assigned);
  return assigned;
}

/**
 * Returns a call as it is recorded, with the relevant headers and the key of a write, under which it can be repeated
 * from the timeline.
 */
const recordedRequest = (ctx: Context, key: string) => ({
  method: ctx.method,
  url: ctx.originalUrl,
  headers: {
    'idempotency-key': key || undefined,
    'content-type': ctx.headers['content-type'] || undefined,
    [stepHeader]: ctx.headers[stepHeader] || undefined,
  },
  body: ctx.request.text ?? '',
});

/**
 * Returns the exchange under which a call is recorded; its step header (`journey/state`) names the step of the page
 * that made it.
 */
function callContextOf(ctx: Context, name: CallName, { timeline, newId }: CompanyContext): CallContext {
  const [journey = '', step = ''] = /^[\w.]{1,60}\/[\w.,]{1,100}$/.test(ctx.get(stepHeader))
    ? ctx.get(stepHeader).split('/')
    : [];
  return { timeline, interactionId: newId(), journey, step, name, attempt: attemptOf(ctx) };
}

/** What is recorded of an answer. */
type Sent = Pick<RecordedResponse, 'text' | 'bytes'>;

/** Sends an answer as JSON with the exact digits of numbers, which Koa would change. */
function sendJson(ctx: Context, answer: unknown): Sent {
  // Set first, otherwise Koa searches the text for the type.
  ctx.set('Content-Type', json);
  const text = stringify(answer);
  ctx.body = text;
  return { text };
}

/**
 * Sends a file of the service, byte for byte. It could contain markup, so it is a download that no browser executes.
 */
function sendFile(ctx: Context, file: PaymentFile): Sent {
  // Named in UTF-8 always, which is all that the page reads; the other name is for those that read only ASCII.
  const ascii = file.name.replace(/[^ -~]|["\\%]/gu, '_');
  const parameters = { filename: ascii, 'filename*': encodeExtended(file.name) };
  ctx.set('Content-Type', file.type);
  ctx.set('Content-Disposition', format({ type: 'attachment', parameters }));
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('Content-Security-Policy', "sandbox; default-src 'none'; frame-ancestors 'none'");
  ctx.body = Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength);
  const { text = '', note } = decodedFile(file);
  return { text: text || note, bytes: file.bytes.length };
}
