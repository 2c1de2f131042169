import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { Context, Middleware } from 'koa';
import { stringify, type JsonObject } from '#contract/json.ts';
import type { Fault } from '#contract/controlShapes.ts';
import type { Clock } from '#server/clock.ts';
import { Problem } from '../http/problem.ts';
import { turnOf } from '../http/turns.ts';
import { operationOf } from '#contract/serviceCalls.ts';
import { faultHeaders, notesOf, type ActiveFault } from '../records/call.ts';
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
  /** The time (steady, ms). */
  now: () => number;
  /** Resolves at this time (steady, ms), as soon as all faults are stopped, or when the promise is settled. */
  pauseUntil: (due: number, ended?: Promise<unknown>) => Promise<void>;
}
/** A call that waits. */
interface Pause {
  /** steady, ms. */
  due: number;
  timer: unknown;
  end: () => void;
}
type Actions = {
  [Kind in Fault<'call'>['kind']]: (
    call: AffectedCall,
    fault: Extract<Fault<'call'>, { kind: Kind }>,
  ) => Promise<void> | void;
};

interface Deps {
  faults: { take: (on: 'call', name: string) => Promise<ActiveFault<'call'> | undefined> };
  /** By which pauses last; `timePassed` tells that it was moved, stopped or restarted. */
  clock: Clock;
  /** Answers thrown problems. */
  problems: Middleware;
  /** Returns the name by which rules know a call; undefined for one that no rule is about. */
  nameOf?: (method: string, path: string) => string | undefined;
}

/** Applies the faults set for calls (docs/sandbox.md). */
export function createCallFaults({ faults, clock, problems, nameOf = operationOf }: Deps) {
  const pauses = new Set<Pause>();
  /** Number of times that all faults were stopped. */
  let stops = 0;
  /** The calls that go on after a pause, until they end or pause again. */
  const resumed = new Set<Context>();
  /** Called when no call goes on any more. */
  let rested: (() => void)[] = [];

  function rest(ctx: Context): void {
    resumed.delete(ctx);
    if (resumed.size > 0) return;
    for (const resolve of rested) resolve();
    rested = [];
  }

  /** Ends a pause that is over; sets the timer of another one, which has none while the clock is stopped. */
  function arm(pause: Pause): void {
    clock.clearTimeout(pause.timer);
    const left = pause.due - clock.steady();
    if (left <= 0) pause.end();
    else pause.timer = clock.setTimeout(pause.end, left);
  }

  /** Returns the `pauseUntil` of a call that begins now. Other calls have their turn meanwhile. */
  function pausing(ctx: Context): AffectedCall['pauseUntil'] {
    const begun = stops;
    return async (due, ended) => {
      if (begun !== stops) return;
      turnOf(ctx)?.wait();
      await new Promise<void>((resume) => {
        const pause: Pause = {
          due,
          timer: undefined,
          end() {
            if (!pauses.delete(pause)) return;
            clock.clearTimeout(pause.timer);
            resumed.add(ctx);
            resume();
          },
        };
        pauses.add(pause);
        rest(ctx);
        arm(pause);
        void ended?.then(pause.end, pause.end);
      });
      await turnOf(ctx)?.begin();
    };
  }

  const drop = ({ req }: Context) => void req.socket.destroy();
  /** Resolves once the connection of a call is closed: what is written then is never called back. */
  const closed = async ({ req: { socket } }: Context): Promise<void> => {
    if (!socket.destroyed) await once(socket, 'close');
  };

  /** Sends nothing more and holds the connection until the caller closes it. */
  async function hold({ ctx, now, pauseUntil }: AffectedCall): Promise<void> {
    await pauseUntil(now() + maximumHold, closed(ctx));
    drop(ctx);
  }

  /** Sends the headers of the answer and a part of its body; the rest is never sent. Nothing is, once the caller has gone. */
  async function beginAnswer(ctx: Context, part: number): Promise<void> {
    const body = bytesOf(ctx);
    ctx.respond = false;
    ctx.res.writeHead(ctx.status, { ...ctx.response.headers, 'content-length': body.length + 1 });
    ctx.res.flushHeaders();
    const sent = body.subarray(0, Math.ceil(body.length * part));
    notesOf(ctx).sent = sent;
    if (sent.length > 0) await Promise.race([new Promise((resume) => ctx.res.write(sent, resume)), closed(ctx)]);
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
    latency: async ({ answer, now, pauseUntil }, { ms }) => {
      await pauseUntil(now() + ms);
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
    slow: async ({ ctx, answer, now, pauseUntil }, { ms }) => {
      await answer();
      const body = bytesOf(ctx);
      const { type } = ctx.response;
      notesOf(ctx).sent = body;
      const begun = now();
      const pause = (chunk: number) => pauseUntil(begun + (chunk * ms) / slowChunks);
      ctx.body = Readable.from(slowly(body, pause, () => rest(ctx)));
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
    const call: AffectedCall = {
      ctx,
      answer: async () => {
        await next();
      },
      refuse: async (problem) => {
        await problems(ctx, (): Promise<never> => Promise.reject(problem));
      },
      now: () => clock.steady(),
      pauseUntil: pausing(ctx),
    };
    try {
      await act(call, fault);
    } finally {
      rest(ctx);
    }
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
      for (const { end } of pauses) end();
    },
    /** Ends the pauses that are over by now, in their order; resolves when each of their calls has ended, or pauses again. */
    async timePassed(): Promise<void> {
      for (const pause of [...pauses].sort((one, other) => one.due - other.due)) arm(pause);
      if (resumed.size > 0) await new Promise<void>((resolve) => rested.push(resolve));
    },
    /** Returns the time (steady, ms) at which the first pause ends; undefined if there is none. */
    nextDue: (): number | undefined => [...pauses].map(({ due }) => due).sort((one, other) => one - other)[0],
  };
}

/** Returns the bytes of an answer whose body is a text, bytes, or a problem. */
const bytesOf = ({ body }: Context): Buffer =>
  Buffer.isBuffer(body)
    ? body
    : Buffer.from(typeof body === 'string' ? body : body === undefined || body === null ? '' : stringify(body));

/** Returns the chunks of a body, each after its pause; `sent` is called with each of them. */
async function* slowly(
  body: Buffer,
  pause: (chunk: number) => Promise<void>,
  sent: () => void,
): AsyncGenerator<Buffer> {
  const size = Math.max(1, Math.ceil(body.length / slowChunks));
  for (let chunk = 1; (chunk - 1) * size < body.length; chunk += 1) {
    await pause(chunk);
    sent();
    yield body.subarray((chunk - 1) * size, chunk * size);
  }
}

export type CallFaults = ReturnType<typeof createCallFaults>;
