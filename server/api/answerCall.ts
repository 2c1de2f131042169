import etag from '@koa/etag';
import { encodeExtended, format } from 'content-disposition';
import type { Context } from 'koa';
import type { PaymentFile } from '#contract/batch.ts';
import { calls, type CallName } from '#contract/calls.ts';
import { companyHeader, replayHeader, stepHeader } from '#contract/constants.ts';
import { stringify } from '#contract/json.ts';
import { decodedFile } from '#rules/decodedFile.ts';
import { noteCall, recordExchange, type CallContext } from '#server/calls/callContext.ts';
import { outcomeMembers } from '#server/calls/writeOutcome.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { secretsIn } from '#server/companies/settings.ts';
import { Failure } from '#server/failure.ts';
import { userOf } from '#server/http/user.ts';
import { secretsOf } from '#server/upstream/config.ts';
import { callFactsOf, type CarryOut } from './call.ts';
import { recordedSetting } from './recordedSetting.ts';

/** The answer to a call as it is recorded: its text and content type. */
interface RecordedAnswer {
  text: string;
  type: string;
  /** The length of a body that is not `text` in UTF-8. */
  bytes?: number;
  replayed: boolean;
}

/** Returns the problem with which a call is answered. */
const problemOf = ({ problem }: Failure, { name, attempt }: CallContext) =>
  calls[name as CallName].method === 'GET' ? problem : { ...problem, ...outcomeMembers(attempt) };

/**
 * Answers a request that makes a call: notes in its context for whom and at which step it is made, carries it out and
 * records it. A write without an idempotency key gets a new one, which the answer names in the same header.
 */
export async function answerCall(ctx: Context, name: CallName, company: CompanyContext, carryOut: CarryOut) {
  const { store, newId, timeline } = company;
  const { write, file, polled, unrecorded } = callFactsOf(name);
  const switchCompany = (to: string) => ctx.set(companyHeader, to);
  switchCompany(company.companyKey);
  // The step of the page that made it.
  const isStep = /^[\w.]{1,60}\/[\w.,]{1,100}$/.test(ctx.get(stepHeader));
  const [journey = '', step = ''] = isStep ? ctx.get(stepHeader).split('/') : [];
  const call = noteCall({
    name,
    journey,
    step,
    interactionId: newId(),
    // A call without a company may have made or chosen one.
    company: async () =>
      company.settings.companyId || ((await store.companies.read(ctx.response.get(companyHeader))).companyId ?? ''),
    ...(!unrecorded && { timeline }),
  });
  const givenKey = write ? ctx.get('Idempotency-Key') || newId() : '';
  if (write && ctx.get('Idempotency-Key') === '') ctx.set('Idempotency-Key', givenKey);
  ctx.set('Cache-Control', 'no-store');

  const answer = async (): Promise<RecordedAnswer> => {
    const carried = await carryOut(name, company, call, {
      params: ctx['params'] as unknown,
      query: ctx.query,
      body: ctx.request.body,
      givenKey,
      replayOnly: ctx.get(replayHeader) === 'only',
      origin: () => ctx.get('Origin') || `${ctx.protocol}://${ctx.host}`,
      user: userOf(ctx),
      ofPage: ctx.get(companyHeader) !== '',
      switchCompany,
    });
    if (carried.replayed) ctx.set(replayHeader, 'true');
    const sent = file ? sendFile(ctx, carried.answer as PaymentFile) : sendJson(ctx, carried.answer); // by its declaration
    return { ...sent, type: ctx.response.get('Content-Type'), replayed: carried.replayed };
  };
  const record = recorder(ctx, call, company, givenKey);
  const problem = (text: string) => ({ text, type: 'application/problem+json', replayed: false });
  try {
    const answered = polled ? await unlessKnown(ctx, answer) : await answer();
    if (answered) record(200, answered);
  } catch (error) {
    if (error instanceof Failure) record(error.problem.status, problem(stringify(problemOf(error, call))));
    else record(500, problem(''));
    throw error;
  }
}

/**
 * Returns the function that records a call, begun now, with its status and answer in the timeline of its context, if there is
 * one: with the relevant headers, and the key of a write, to be repeated under it.
 */
function recorder(
  ctx: Context,
  call: CallContext,
  { clock, config, companyKey, settings }: CompanyContext,
  givenKey: string,
) {
  const [startedAt, started] = [clock.now(), clock.steady()];
  return (status: number, { text, type, bytes, replayed }: RecordedAnswer): void => {
    const ms = clock.steady() - started;
    const { url, body } = recordedSetting(call.name, { url: ctx.originalUrl, body: ctx.request.text ?? '' }, status);
    const headers = {
      // The company that the call was made for, even if the caller did not name it.
      [companyHeader]: companyKey,
      'idempotency-key': givenKey || undefined,
      'content-type': ctx.headers['content-type'] || undefined,
      [stepHeader]: ctx.headers[stepHeader] || undefined,
    };
    recordExchange(
      {
        kind: 'call',
        // A page names its company in each call, as none until it has read it.
        byProgram: !Object.hasOwn(ctx.headers, companyHeader),
        startedAt,
        ms,
        method: ctx.method,
        url,
        status,
        request: { headers, body },
        response: {
          headers: { 'content-type': type, ...(replayed && { [replayHeader]: 'true' }) },
          body: text,
          ...(bytes !== undefined && { bytes }),
        },
        // A caller may send those of the company under any name; a call that gives one answers with it.
        secrets: [...secretsOf(config.upstream), ...secretsIn(settings)],
      },
      call,
    );
  };
}

const setEtag = etag();

/** Answers 304 and resolves with nothing if the caller has the answer already. */
async function unlessKnown(ctx: Context, answer: () => Promise<RecordedAnswer>): Promise<RecordedAnswer | undefined> {
  let answered: RecordedAnswer | undefined;
  await setEtag(ctx, async () => void (answered = await answer()));
  // Not `ctx.fresh`: a browser's `Cache-Control: no-cache` is for caches on the way.
  if (ctx.get('If-None-Match').replace(/^W\//, '') !== ctx.response.get('ETag')) return answered;
  ctx.status = 304;
  return undefined;
}

/** Sends an answer as JSON with the exact digits of numbers, which Koa would change. Returns what is recorded of it. */
function sendJson(ctx: Context, answer: unknown) {
  // Set first, otherwise Koa searches the text for the type.
  ctx.set('Content-Type', 'application/json; charset=utf-8');
  const text = stringify(answer);
  ctx.body = text;
  return { text };
}

/**
 * Sends a file of the service, byte for byte. It could contain markup, so it is a download that no browser executes.
 * Returns what is recorded of it.
 */
function sendFile(ctx: Context, file: PaymentFile) {
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
