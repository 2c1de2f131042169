import { othersTurn } from '#server/concurrency.ts';
import etag from '@koa/etag';
import { encodeExtended, format } from 'content-disposition';
import type { Context } from 'koa';
import type { PaymentFile } from '#contract/batch.ts';
import { alerts } from '#contract/alerts.ts';
import { calls, type CallFacts, type CallName } from '#contract/calls.ts';
import { companyHeader, replayHeader, stepHeader } from '#contract/constants.ts';
import { stringify } from '#contract/json.ts';
import type { BatchRequest } from '#contract/payment.ts';
import type { Answer, Query } from '#contract/shapes.ts';
import { decodedFile } from '#rules/decodedFile.ts';
import { noteCall, recordExchange, type CallContext, type User } from '#server/calls/callContext.ts';
import { fingerprintOf } from '#server/calls/fingerprint.ts';
import { outcomeMembers } from '#server/calls/writeOutcome.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { firstCompany } from '#server/companies/companyList.ts';
import { secretsIn, storedSettingsOf } from '#server/companies/settings.ts';
import { Failure } from '#server/failure.ts';
import { userOf } from '#server/http/user.ts';
import type { Write as Row } from '#server/storage/writes.ts';
import { secretsOf } from '#server/upstream/config.ts';
import { keyTtlOf } from '#server/upstream/wire.ts';
import { withNotes } from '#server/payments/notes.ts';
import type { createJournal } from '#server/writes/journal.ts';
import { payerOf } from '#server/writes/invoices.ts';
import { serviceKey } from '#server/writes/serviceKey.ts';
import { declaredAnswer, declaredInput, requireIdempotencyKey } from './declaration.ts';
import type { Handler, Handlers, Input, WriteName, WriteOf } from './handlers.ts';
import { discloseSigningKey } from './onboarding.ts';
import { recordedSetting } from './recordedSetting.ts';

/** A call as it came, unchecked. */
interface Asked extends Pick<Input<CallName>, 'origin' | 'ofPage' | 'switchCompany' | 'givenKey'> {
  params: unknown;
  query: unknown;
  body: unknown;
  user: User;
  /** Returns stored answers only: a write whose first answer is no longer stored rejects with `outcome-unknown`, and is not sent. */
  replayOnly: boolean;
}

/** `replayed`: the answer is that of an earlier, identical request. */
interface Carried {
  answer: unknown;
  replayed: boolean;
}

/** A call as it is recorded. */
interface RecordedRequest {
  method: string;
  url: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
}

/** The answer to a call as it is recorded: its text and content type. */
interface RecordedAnswer {
  text: string;
  type: string;
  /** The length of a body that is not `text` in UTF-8. */
  bytes?: number;
  replayed: boolean;
}

const factsOf = (name: CallName): CallFacts => calls[name];

/** Returns the key of the company to which a write's idempotency key belongs: the first company of those that share it. */
async function companyOfKey(name: CallName, { companyKey, store }: CompanyContext): Promise<string> {
  const { keyOf } = factsOf(name);
  if (keyOf === 'workspace') return firstCompany;
  const companies = keyOf === 'organisation' ? await store.companies.list() : [];
  const own = companies.find((each) => each.companyKey === companyKey);
  const firstOfOrganisation = own && companies.find(({ organisationId }) => organisationId === own.organisationId);
  return firstOfOrganisation?.companyKey ?? companyKey;
}

/** Returns the tag of whom a write is made for at the service; '' for an organisation that is created. */
function ownerOf(name: CallName, { settings, store, config }: CompanyContext): string {
  const { keyOf } = factsOf(name);
  if (keyOf === 'workspace') return '';
  const companyId = keyOf === 'organisation' ? '' : settings.companyId;
  return payerOf(store.tag, config.upstream.applicationId, settings.organisationId, companyId);
}

const alertOf = (name: CallName): string =>
  factsOf(name).keyOf === 'organisation' ? alerts.noOrganisation : alerts.noCompany;

/** Returns the write that was claimed under a key; undefined if nobody has claimed it. */
export const writeUnder = async (name: CallName, company: CompanyContext, key: string): Promise<Row | undefined> =>
  company.store.writes.find({ workspace: company.store.workspace, companyKey: await companyOfKey(name, company) }, key);

/** A write whose answer is checked by the declaration of its call. */
const checked = (name: CallName, write: WriteOf<CallName>): WriteOf<CallName> => ({
  ...write,
  keep: async (...given) => declaredAnswer(name, await write.keep(...given)) as Answer<CallName>, // just checked
});

/**
 * Makes the function that carries out calls for a company: it checks input and answer by the call's declaration, and runs a
 * write once per idempotency key and company. `handlerOf` returns the handler of a call.
 */
export const createCaller =
  (journal: ReturnType<typeof createJournal>, handlerOf: (name: CallName) => Handlers[CallName]) =>
  async (
    name: CallName,
    company: CompanyContext,
    call: CallContext,
    { givenKey, replayOnly, ...asked }: Asked,
  ): Promise<Carried> => {
    const { store } = company;
    // A large body takes long to parse, to check, to compare and to identify, and a file stores without yielding.
    const isWrite = factsOf(name).write;
    if (isWrite) await othersTurn();
    const input = {
      ...asked,
      ...declaredInput(name, asked),
      givenKey,
      repeat: async ({ call: write, key, fingerprint }: Row, first: unknown) =>
        void (await run(write as WriteName, key, { ...input, body: first, query: {} }, fingerprint)), // as it was claimed
    };

    async function run(write: WriteName, key: string, given: typeof input, print?: string): Promise<Carried> {
      await othersTurn();
      const at = { workspace: store.workspace, companyKey: await companyOfKey(write, company), key };
      // The key is also the interaction id, so that all repeats of a write have the same one.
      const sent = serviceKey(at, key);
      call.interactionId = sent;
      const fingerprint = print ?? store.tag('fingerprint', fingerprintOf(write, given.body));
      await othersTurn();
      const owner = ownerOf(write, company);
      const carried = await journal.run(company, checked(write, handlerOf(write) as WriteOf<CallName>), {
        ...at,
        call: write,
        owner,
        requireOwner: async () => {
          if (owner === ownerOf(write, { ...company, settings: await storedSettingsOf(store) })) return;
          throw new Failure('prerequisite-missing', alertOf(write));
        },
        fingerprint,
        serviceKey: sent,
        attempt: call.attempt,
        replayOnly,
        input: { ...given, key: sent } as Input<CallName>, // checked by the call's declaration
        keyTtl: keyTtlOf(given.body),
      });
      if (carried.replayed && factsOf(write).keyOf) input.switchCompany(await store.companies.current());
      return carried;
    }

    const handler = handlerOf(name);
    if (typeof handler === 'function') {
      const handle = handler as Handler<CallName>; // checks its input by the call's declaration
      const answer = await handle(company, { ...input, key: call.interactionId } as Input<CallName>); // likewise
      return { answer: declaredAnswer(name, answer), replayed: false };
    }
    const key = isWrite ? requireIdempotencyKey(givenKey) : company.newId();
    const carried = await run(name as WriteName, key, input);
    if (name === 'createBatch')
      return { ...carried, answer: await withNotes(company, input.body as BatchRequest, carried.answer as object) }; // of this call
    if (name !== 'createOrganisation' || (input.query as Query<'createOrganisation'>).reveal === 'false')
      return carried;
    return { ...carried, answer: await discloseSigningKey(store, carried.answer as Answer<'createOrganisation'>) }; // of the same call
  };

export type CarryOut = ReturnType<typeof createCaller>;

/**
 * Runs a call and records it in the timeline of its context, if there is one, even if it fails, but not if it resolves with
 * nothing. Rejects as `run` does.
 */
async function recordCall(
  { clock, config, companyKey, settings }: CompanyContext,
  call: CallContext,
  { byProgram, ...request }: RecordedRequest & { byProgram: boolean },
  run: () => Promise<RecordedAnswer | undefined>,
): Promise<void> {
  const [startedAt, started] = [clock.now(), clock.steady()];
  const record = (status: number, { text, type, bytes, replayed }: RecordedAnswer): void => {
    if (!call.timeline) return;
    const ms = clock.steady() - started;
    const { url, body } = recordedSetting(call.name, request, status);
    recordExchange(
      {
        kind: 'call',
        byProgram,
        startedAt,
        ms,
        method: request.method,
        url,
        status,
        // The company that the call was made for, even if the caller did not name it.
        request: { headers: { [companyHeader]: companyKey, ...request.headers }, body },
        response: {
          headers: { 'content-type': type, ...(replayed && { [replayHeader]: 'true' }) },
          body: text,
          ...(bytes !== undefined && { bytes }),
        },
        // A caller may send those of the company under any name.
        secrets: [...secretsOf(config.upstream), ...(request.body === '' ? [] : secretsIn(settings))],
      },
      call,
    );
  };
  const problem = (text: string) => ({ text, type: 'application/problem+json', replayed: false });
  try {
    const answer = await run();
    if (answer) record(200, answer);
  } catch (error) {
    if (error instanceof Failure) record(error.problem.status, problem(stringify(problemOf(error, call))));
    else record(500, problem(''));
    throw error;
  }
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
  const { write, file, polled, unrecorded } = factsOf(name);
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
  // A page names its company in each call, as none until it has read it.
  const recorded = { ...recordedRequest(ctx, givenKey), byProgram: !Object.hasOwn(ctx.headers, companyHeader) };
  await recordCall(company, call, recorded, polled ? () => unlessKnown(ctx, answer) : answer);
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

/** Returns a call as it is recorded, with the relevant headers and the key of a write, to be repeated under it. */
const recordedRequest = (ctx: Context, key: string): RecordedRequest => ({
  method: ctx.method,
  url: ctx.originalUrl,
  headers: {
    'idempotency-key': key || undefined,
    'content-type': ctx.headers['content-type'] || undefined,
    [stepHeader]: ctx.headers[stepHeader] || undefined,
  },
  body: ctx.request.text ?? '',
});

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
