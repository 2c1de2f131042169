import { Agent, errors, request } from 'undici';
import type { Logger } from 'pino';
import type { Clock } from '#server/clock.ts';
import { Failure } from '#server/failure.ts';
import { header } from './wire.ts';

export interface Outgoing {
  method: 'GET' | 'POST' | 'PATCH';
  url: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Reply {
  status: number;
  text: string;
  contentType: string;
  /** Sent with the request, for the service's support (upstream-api, section 3). */
  interactionId: string;
}

/** Limits of one request; times in ms. */
export interface Limits {
  connect: number;
  headers: number;
  body: number;
  bytes: number;
  /** Before the first repeat of a read; doubled for each further one. */
  backOff: number;
}

const defaults: Limits = { connect: 3000, headers: 20_000, body: 20_000, bytes: 16 * 1024 * 1024, backOff: 200 };
const attempts = 3;
const passing = [429, 502, 503, 504];

export interface Http {
  /** One attempt. Rejects with a Failure if no complete answer arrived. */
  send(outgoing: Outgoing): Promise<Reply>;
  /** For reads only: repeated with back-off if the service is unreachable or says that it is overloaded. */
  read(prepare: () => Outgoing): Promise<Reply>;
  close(): Promise<void>;
}

interface Deps {
  clock: Clock;
  newId: () => string;
  log: Logger;
  limits?: Partial<Limits>;
}

/** Keep-alive connections, a pool for each origin; redirects are not followed. */
export function createHttp({ clock, newId, log, limits }: Deps): Http {
  const { connect, headers, body, bytes, backOff } = { ...defaults, ...limits };
  const agent = new Agent({
    connections: 64,
    connect: { timeout: connect },
    headersTimeout: headers,
    bodyTimeout: body,
    maxResponseSize: bytes,
  });

  async function send({ method, url, headers, body }: Outgoing): Promise<Reply> {
    const interactionId = newId();
    const { origin, pathname } = new URL(url);
    const started = clock.now();
    const note = { method, origin, path: pathname, interactionId };
    let answered = false;
    try {
      const answer = await request(url, {
        dispatcher: agent,
        method,
        headers: { accept: 'application/json', [header.interaction]: interactionId, ...headers },
        body: body ?? null,
      });
      answered = true;
      const text = await answer.body.text();
      log.debug({ ...note, status: answer.statusCode, ms: clock.now() - started }, 'upstream');
      return {
        status: answer.statusCode,
        text,
        contentType: String(answer.headers['content-type'] ?? ''),
        interactionId,
      };
    } catch (error) {
      const failure = failureOf(error, origin, answered, interactionId);
      log.warn({ ...note, code: failure.problem.code, reason: String(error), ms: clock.now() - started }, 'upstream');
      throw failure;
    }
  }

  const pause = (ms: number) => new Promise<void>((resume) => clock.setTimeout(resume, ms));

  async function read(prepare: () => Outgoing): Promise<Reply> {
    for (let attempt = 1; ; attempt += 1) {
      const last = attempt === attempts;
      try {
        const reply = await send(prepare());
        if (last || !passing.includes(reply.status)) return reply;
      } catch (error) {
        // A time-out is not repeated: the user has waited long enough to be told.
        if (last || !(error instanceof Failure) || error.problem.code !== 'upstream-unreachable') throw error;
      }
      // Jitter, so that callers who failed together do not come back together.
      await pause(backOff * 2 ** (attempt - 1) * (0.5 + Math.random()));
    }
  }

  return { send, read, close: () => agent.close() };
}

const timeouts = [errors.ConnectTimeoutError, errors.HeadersTimeoutError, errors.BodyTimeoutError];

function failureOf(error: unknown, origin: string, answered: boolean, interactionId: string): Failure {
  if (timeouts.some((kind) => error instanceof kind))
    return new Failure('upstream-timeout', `${origin} did not answer in time.`, { interactionId });
  if (error instanceof errors.ResponseExceededMaxSizeError)
    return new Failure('upstream-invalid', `The answer of ${origin} is larger than the console takes.`, {
      interactionId,
    });
  return answered
    ? new Failure('upstream-invalid', `The answer of ${origin} was cut short.`, { interactionId })
    : new Failure('upstream-unreachable', `No connection to ${origin}.`, { interactionId });
}
