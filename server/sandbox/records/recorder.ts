import type { Context, Middleware } from 'koa';
import { stringify } from '#contract/json.ts';
import { passedCallHeader } from '#contract/programs.ts';
import { operationOf } from '#contract/serviceCalls.ts';
import type { Clock } from '#server/clock.ts';
import { header } from '#server/upstream/wire.ts';
import { faultsIn } from '#server/upstream/wireFaults.ts';
import type { RecordedCall, RecordedDelivery, RecordedWebhook } from '../recorded.ts';
import { createBoundedRecords, type RecordBudget } from './budget.ts';
import { beginNotes, faultMark, isApi, newNotes, type CallNotes } from './call.ts';

/** A call of the service's API by a program, with the bytes that were received and sent. */
export interface AnsweredCall {
  /** The name under which the console forwarded it; '' for a call straight to the sandbox. */
  forwardedAs: string;
  startedAt: number;
  ms: number;
  method: string;
  url: string;
  /** 0 if no answer is sent. */
  status: number;
  /** The fault that affected it, as its header names it; '' for none. */
  fault: string;
  request: { headers: Readonly<Record<string, string>>; bytes: Buffer };
  response: { headers: Readonly<Record<string, string>>; bytes: Buffer };
  /** What is wrong with it, one sentence each, and for a wrong signature the texts that should and seem to have been signed. */
  findings: { wrong: readonly string[]; expected: string; signed: string };
}

/** A request of whatever kind, as the home page lists it. */
interface SeenRequest {
  /** ms since the epoch. */
  at: number;
  method: string;
  /** Without the query, which may contain secrets. */
  path: string;
  /** 0 if no answer was sent. */
  status: number;
  /** Duration in ms; undefined while it is in progress. */
  ms?: number;
  interactionId: string;
  notes: Pick<CallNotes, 'fault'>;
}

/** Identifies a call for both its caller and the sandbox. */
export type CallIdentity = Pick<SeenRequest, 'interactionId' | 'method' | 'path'>;

/** The header of a call that is not recorded, because it prepares a situation; its value is known to this process only. */
export const unrecordedHeader = 'x-sandbox-unrecorded';

export interface RecorderOptions {
  /** Maximum number of calls and of webhooks. */
  maximum: number;
  /** Maximum number of characters of a recorded body; a longer one is left out. */
  longest?: number | undefined;
  /** The memory that these records share with those of other applications. */
  budget: RecordBudget;
  /** The value of the header of calls that are not recorded. */
  unrecorded: string;
  /** Whether a call that came from this port is the console's own, which is no program's. */
  isOwn: (port: number | undefined) => boolean;
  /**
   * Returns the addresses that a program may have called which the console forwards under this name; undefined for an
   * unknown name.
   */
  addressesOf: (name: string) => readonly string[] | undefined;
  /** Called with each call of a program, before its answer is sent; for one without an answer, when it has ended. */
  onCall: (call: AnsweredCall) => void;
  /** The URL of the application's sandbox. */
  url: string;
  /** Which requests are calls of which service; by default the sandbox's. */
  paths?: ServicePaths;
  clock: Pick<Clock, 'now' | 'steady'>;
}

/** Tells the calls of a service by method and path. */
interface ServicePaths {
  /** The name of the call; undefined if the service has no such call. */
  operationOf: (method: string, path: string) => string | undefined;
  isApi: (path: string) => boolean;
  /** Whether a request is not recorded at all. */
  isOwnPage: (path: string) => boolean;
}

/** Maximum number of requests seen, of those listed, and of characters of each of their texts. */
const [maximumSeen, maximumListed, maximumText] = [200, 50, 200];

const shortened = (text: string): string => text.slice(0, maximumText);

const sandboxPaths: ServicePaths = {
  operationOf,
  isApi,
  isOwnPage: (path) => path === '/' || path === '/favicon.ico' || path.startsWith('/sandbox/'),
};

const headersOf = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' || Array.isArray(value) ? [[name, value.toString()]] : [],
    ),
  );

/** Returns the bytes of an answer's body; of one that a fault sends, those that it has noted. */
function bytesOf({ body, respond }: Context, { sent }: CallNotes): Buffer {
  if (sent || respond === false) return sent ?? Buffer.alloc(0);
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : body === null || body === undefined ? '' : stringify(body));
}

/** Returns the type of the event in a webhook's body, of the first one in a list; '' if it has none. */
function typeIn(body: string): string {
  const value = JSON.parse(body) as { type?: string } | { type?: string }[]; // written by the sandbox
  return (Array.isArray(value) ? value[0] : value)?.type ?? '';
}

/** A call with the notes from which the rest is read when the calls are listed. */
interface Entry {
  call: Omit<RecordedCall, 'isDone' | 'fault'>;
  notes: Pick<CallNotes, 'isDone'> & { fault?: Pick<NonNullable<CallNotes['fault']>, 'kind'> };
}

/**
 * Records what one application is asked and what it delivers, in memory: the requests, whole calls of programs, and
 * webhooks with their deliveries. It stays when the application is replaced.
 */
export function createRecorder(options: RecorderOptions) {
  const { maximum, longest = Infinity, budget, unrecorded, isOwn, addressesOf, onCall, url, clock } = options;
  const { paths = sandboxPaths } = options;
  /** Oldest first. */
  const seen: SeenRequest[] = [];
  const calls = createBoundedRecords<number, Entry>(maximum, budget);
  const webhooks = createBoundedRecords<string, RecordedWebhook>(maximum, budget);
  let count = 0;
  const kept = (body: string): string => (body.length > longest ? '' : body);

  /** Adds a call that begins. Returns a function that adds its response. */
  function beginCall({ method, path, querystring, headers, res, request, response }: Context, notes: CallNotes) {
    const [at, since] = [clock.now(), clock.steady()];
    const number = (count += 1);
    const call: Entry['call'] = {
      number,
      at,
      ms: 0,
      method,
      path,
      query: querystring,
      operation: paths.operationOf(method, path) ?? '',
      headers: headersOf(headers),
      body: '',
      status: 0,
      response: { headers: {}, body: '' },
      mistakes: [],
    };
    calls.put(number, { call, notes });
    const end = () => {
      call.ms = clock.steady() - since;
      if (res.headersSent) return;
      // The program has closed the connection, or the fault has: no response has reached it.
      call.status = 0;
      call.response = { headers: {}, body: '' };
    };
    res.once('finish', end);
    res.once('close', end);
    return (status: number, bytes: Buffer): void => {
      // Undecoded for a call without a body, or with one that could not be decoded.
      call.body = kept(request.text ?? request.bytes?.toString() ?? '');
      call.mistakes = notes.mistakes;
      if (status !== 0) {
        call.status = status;
        call.response = { headers: headersOf(response.headers), body: kept(bytes.toString()) };
      }
      const { isDone, fault } = notes;
      // Unless it was dropped or replaced meanwhile.
      if (calls.get(number)?.call === call) calls.put(number, { call, notes: { isDone, ...(fault && { fault }) } });
    };
  }

  const record: Middleware = async (ctx, next) => {
    const name = ctx.get(passedCallHeader);
    const addresses = addressesOf(name);
    const isPrepared = ctx.get(unrecordedHeader) === unrecorded;
    delete ctx.req.headers[passedCallHeader];
    delete ctx.req.headers[unrecordedHeader];
    const notes = newNotes(addresses);
    beginNotes(ctx, notes);
    const { method, path } = ctx;
    if (isPrepared || paths.isOwnPage(path)) {
      await next();
      return;
    }
    const [at, since] = [clock.now(), clock.steady()];
    const interactionId = shortened(ctx.get(header.interaction));
    const request: SeenRequest = { at, method, path: shortened(path), status: 0, interactionId, notes };
    seen.push(request);
    // A request in progress stays, because its caller may still ask for its fault.
    const oldest = seen.length > maximumSeen ? seen.findIndex(({ ms }) => ms !== undefined) : -1;
    if (oldest !== -1) seen.splice(oldest, 1);
    const isOfProgram = paths.isApi(path) && (addresses !== undefined || !isOwn(ctx.req.socket.remotePort));
    const end = isOfProgram ? beginCall(ctx, notes) : undefined;
    await next();
    request.ms = clock.steady() - since;
    // Not all of its notes, which may hold a text to sign with the whole body.
    request.notes = { ...(notes.fault && { fault: notes.fault }) };
    const isAnswered = (ctx.respond !== false || ctx.res.headersSent) && (!ctx.res.destroyed || ctx.res.headersSent);
    request.status = isAnswered ? (ctx.res.headersSent ? ctx.res.statusCode : ctx.status) : 0;
    if (!end) return;
    const whole = bytesOf(ctx, notes);
    delete notes.sent;
    if (request.status >= 400 || operationOf(method, path) === 'batch')
      notes.mistakes.unshift(...faultsIn(whole.toString()));
    const bytes = method === 'HEAD' ? Buffer.alloc(0) : whole;
    end(request.status, bytes);
    onCall({
      forwardedAs: addresses ? name : '',
      startedAt: at,
      ms: request.ms,
      method,
      url: url + ctx.originalUrl,
      status: request.status,
      findings: { wrong: notes.mistakes, expected: notes.expected, signed: notes.signed },
      fault: notes.fault ? faultMark(notes.fault) : '',
      request: { headers: headersOf(ctx.headers), bytes: ctx.request.bytes ?? Buffer.alloc(0) },
      response: isAnswered
        ? { headers: headersOf(ctx.response.headers), bytes }
        : { headers: {}, bytes: Buffer.alloc(0) },
    });
  };

  return {
    /** Records each request; must precede whatever may refuse it. */
    record,
    /** Returns the latest requests of other programs that have ended, newest first, without the sandbox's own pages. */
    latest: () =>
      seen
        .filter(({ ms }) => ms !== undefined)
        .slice(-maximumListed)
        .reverse(),
    /**
     * Returns the fault that affects the latest request of this identity, as its header names it, for a caller that has
     * received no answer; '' if there is none, or it was taken before.
     */
    takeFault({ interactionId, method, path }: CallIdentity): string {
      const [id, place] = [shortened(interactionId), shortened(path)];
      const found = seen.findLast((each) => each.interactionId === id && each.method === method && each.path === place);
      if (!found) return '';
      found.interactionId = '';
      return found.notes.fault ? faultMark(found.notes.fault) : '';
    },
    /** Returns the calls of programs, oldest first. */
    calls: (): RecordedCall[] =>
      calls.values().map(({ call, notes: { isDone, fault } }) => ({
        ...call,
        isDone,
        ...(fault !== undefined && { fault: fault.kind }),
      })),
    /** Adds a delivery to the consumer. `fault`: the kind of the fault that affected the webhook. */
    addDelivery(webhookId: string, fault: string | undefined, delivery: RecordedDelivery): void {
      const webhook = webhooks.get(webhookId) ?? {
        webhookId,
        type: typeIn(delivery.body),
        deliveries: [],
        ...(fault !== undefined && { fault }),
      };
      webhooks.put(webhookId, { ...webhook, deliveries: [...webhook.deliveries, delivery] });
    },
    /** Returns the webhooks that were sent to the consumer, oldest first. */
    webhooks: (): readonly RecordedWebhook[] => webhooks.values(),
    /** Replaces all that is recorded. */
    replace(next: { calls: readonly RecordedCall[]; webhooks: readonly RecordedWebhook[] }): void {
      seen.length = 0;
      calls.clear();
      webhooks.clear();
      for (const { isDone, fault, ...call } of next.calls)
        calls.put(call.number, { call, notes: { isDone, ...(fault !== undefined && { fault: { kind: fault } }) } });
      count = next.calls.at(-1)?.number ?? 0;
      for (const webhook of next.webhooks) webhooks.put(webhook.webhookId, webhook);
    },
  };
}

export type Recorder = ReturnType<typeof createRecorder>;
