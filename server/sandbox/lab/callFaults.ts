import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { Context, Middleware } from 'koa';
import { stringify, type JsonObject } from '#contract/json.ts';
import type { Fault } from '#contract/labShapes.ts';
import type { Clock } from '#server/clock.ts';
import { Problem } from '../http/problem.ts';
import { faultHeaders, notesOf, operationOf, type ActiveFault } from '../records/call.ts';
import { objectIn, withExtraMembers, withNullMembers, withUnknownStatus } from './changedAnswers.ts';
import { changedResponse } from './changedPlace.ts';

/** Time (ms) after which a held connection is closed even if the caller keeps waiting. */
const maximumHold = 10 * 60_000;
/** Number of chunks in which a slow body is sent. */
const slowChunks = 10;

const proxyPage = `<!doctype html>
<html lang="en"><head><title>Gateway</title></head><body><h1>The gateway could not reach its service</h1></body></html>
`;

/** A call affected by a fault: `answer` handles it normally, `refuse` answers a problem instead. */
interface AffectedCall {
  ctx: Context;
  answer: () => Promise<void>;
  refuse: (problem: Problem) => Promise<void>;
  /** Resolves after this time (ms), or as soon as all faults are stopped. */
  pause: (ms: number) => Promise<void>;
}
type Actions = {
  [Kind in Fault<'call'>['kind']]: (
    call: AffectedCall,
    fault: Extract<Fault<'call'>, { kind: Kind }>,
  ) => Promise<void> | void;
};

interface Deps {
  faults: { take: (on: 'call', name: string) => Promise<ActiveFault<'call'> | undefined> };
  clock: Clock;
  /** Answers thrown problems. */
  problems: Middleware;
  /** Returns the name by which rules know a call; undefined for one that no rule is about. */
  nameOf?: (method: string, path: string) => string | undefined;
}

/** Applies the faults set for calls (docs/sandbox.md). */
export function createCallFaults({ faults, clock, problems, nameOf = operationOf }: Deps) {
  /** Functions that end the current pauses. */
  const pauses = new Set<() => void>();
  /** Number of times that all faults were stopped. */
  let stops = 0;

  /** Returns the `pause` of a call that begins now. */
  function pausing() {
    const begun = stops;
    return (ms: number) =>
      new Promise<void>((resume) => {
        if (begun !== stops) return resume();
        const end = () => {
          clock.clearTimeout(timer);
          pauses.delete(end);
          resume();
        };
        const timer = clock.setTimeout(end, ms);
        pauses.add(end);
      });
  }

  const drop = ({ req }: Context) => void req.socket.destroy();

  /** Sends nothing more and holds the connection until the caller closes it. */
  async function hold({ ctx, pause }: AffectedCall): Promise<void> {
    const closed = ctx.req.socket.destroyed || once(ctx.req.socket, 'close');
    await Promise.race([closed, pause(maximumHold)]);
    drop(ctx);
  }

  /** Sends the headers of the answer and a part of its body; the rest is never sent. */
  async function beginAnswer(ctx: Context, part: number): Promise<void> {
    const body = bytesOf(ctx);
    ctx.respond = false;
    ctx.res.writeHead(ctx.status, { ...ctx.response.headers, 'content-length': body.length + 1 });
    ctx.res.flushHeaders();
    const sent = body.subarray(0, Math.ceil(body.length * part));
    notesOf(ctx).sent = sent;
    if (sent.length > 0) await new Promise((resume) => ctx.res.write(sent, resume));
  }

  /** Answers with a changed body, if the response is a successful one with a JSON object. */
  async function answerChanged({ ctx, answer }: AffectedCall, change: (body: JsonObject) => JsonObject): Promise<void> {
    await answer();
    if (ctx.status >= 300) return;
    const body = objectIn(bytesOf(ctx).toString());
    if (!body) return;
    ctx.body = stringify(change(body));
    ctx.type = 'json';
  }

  const actions: Actions = {
    status: ({ refuse }, { status }) => refuse(new Problem(status, `The fault lab answers ${status}`)),
    tooMany: ({ refuse }, { retryAfter }) =>
      refuse(
        new Problem(429, `Too many calls; try again in ${retryAfter} s`, [], { 'retry-after': String(retryAfter) }),
      ),
    tooManyUntil: ({ ctx, refuse }, { retryAfter }) => {
      const until = new Date((Date.parse(String(ctx.response.get('date'))) || clock.now()) + retryAfter * 1000);
      const time = until.toUTCString();
      return refuse(new Problem(429, `Too many calls; try again at ${time}`, [], { 'retry-after': time }));
    },
    redirect: ({ ctx }, { to }) => {
      ctx.status = 307;
      ctx.set('location', to);
      ctx.body = '';
    },
    expiredToken: ({ refuse }) => refuse(new Problem(401, 'The token has expired')),
    latency: async ({ answer, pause }, { ms }) => {
      await pause(ms);
      await answer();
    },
    noAnswer: async (call) => {
      call.ctx.respond = false;
      await hold(call);
    },
    noBody: async (call) => {
      await call.answer();
      await beginAnswer(call.ctx, 0);
      await hold(call);
    },
    reset: ({ ctx }) => {
      ctx.respond = false;
      drop(ctx);
    },
    truncated: async ({ ctx, answer }) => {
      await answer();
      await beginAnswer(ctx, 0.5);
      drop(ctx);
    },
    slow: async ({ ctx, answer, pause }, { ms }) => {
      await answer();
      const body = bytesOf(ctx);
      const { type } = ctx.response;
      notesOf(ctx).sent = body;
      ctx.body = Readable.from(slowly(body, () => pause(ms / slowChunks)));
      ctx.type = type;
      ctx.length = body.length;
    },
    html: ({ ctx }, { status }) => {
      ctx.status = status;
      ctx.type = 'html';
      ctx.body = proxyPage;
    },
    answerLost: async ({ ctx, answer }) => {
      await answer();
      ctx.respond = false;
      drop(ctx);
    },
    extraMembers: (call) => answerChanged(call, withExtraMembers),
    unknownStatus: (call) => answerChanged(call, withUnknownStatus),
    nullMembers: (call) => answerChanged(call, withNullMembers),
    changed: async ({ ctx, answer }, difference) => {
      await answer();
      const before = { status: ctx.status, type: ctx.response.get('content-type'), body: bytesOf(ctx).toString() };
      const { status, type, body } = changedResponse(before, difference);
      ctx.status = status;
      ctx.body = body;
      if (type === '') ctx.remove('content-type');
      else ctx.set('content-type', type);
    },
  };

  async function inject(
    ctx: Context,
    next: () => Promise<unknown>,
    { fault, injected }: ActiveFault<'call'>,
  ): Promise<void> {
    ctx.set(faultHeaders(injected));
    notesOf(ctx).fault = injected;
    const act = actions[fault.kind] as (call: AffectedCall, fault: Fault<'call'>) => Promise<void> | void; // `kind` selects the action
    await act(
      {
        ctx,
        answer: async () => {
          await next();
        },
        refuse: async (problem) => {
          await problems(ctx, (): Promise<never> => Promise.reject(problem));
        },
        pause: pausing(),
      },
      fault,
    );
  }

  const rules: Middleware = async (ctx, next) => {
    const name = nameOf(ctx.method, ctx.path);
    const active = name === undefined ? undefined : await faults.take('call', name);
    if (active) await inject(ctx, next, active);
    else await next();
  };

  return {
    /** Applies the faults of rules. */
    rules,
    /** Applies a fault to a call. */
    inject,
    /** Ends all pauses: closes held connections and sends delayed answers. */
    release: (): void => {
      stops += 1;
      for (const end of pauses) end();
    },
  };
}

/** Returns the bytes of an answer whose body is a text, bytes, or a problem. */
const bytesOf = ({ body }: Context): Buffer =>
  Buffer.isBuffer(body)
    ? body
    : Buffer.from(typeof body === 'string' ? body : body === undefined || body === null ? '' : stringify(body));

async function* slowly(body: Buffer, pause: () => Promise<void>): AsyncGenerator<Buffer> {
  const size = Math.max(1, Math.ceil(body.length / slowChunks));
  for (let start = 0; start < body.length; start += size) {
    await pause();
    yield body.subarray(start, start + size);
  }
}

export type CallFaults = ReturnType<typeof createCallFaults>;
