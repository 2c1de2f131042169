import { Agent, errors, request } from 'undici';
import type { Logger } from 'pino';
import type { Clock } from '#server/clock.ts';
import { Failure } from '#server/failure.ts';
import { bounds } from '#server/json.ts';
import { maskOf, maskOfAnswers, maskTokens } from '#server/mask.ts';
import type { Mask } from '#server/mask.ts';
import { createShare } from './share.ts';
import { sending } from '#server/outcome.ts';
import { patience } from './patience.ts';
import type { Asked, Patience } from './patience.ts';
import { isConnected, unanswered } from './unanswered.ts';
import { endpoints, header } from './wire.ts';

export interface Outgoing {
  method: 'GET' | 'POST' | 'PATCH';
  url: string;
  headers?: Record<string, string>;
  body?: string;
  /** Whose patience it has (patience.ts); the usual one unless given. */
  asked?: Asked;
  /** Bytes that its answer may have; those of `bounds.answer` unless given. */
  most?: number;
  /** What is not in the headers, but belongs to this request, such as the key that it is signed with. */
  secrets?: readonly string[];
}

export interface Reply {
  status: number;
  text: string;
  contentType: string;
  /** Sent with the request, for the service's support (wire, section 3). */
  interactionId: string;
  /** Seconds for which the service wants to be left alone, 0 if it does not say. */
  retryAfter: number;
}

/** Limits of one request; times in ms. */
export interface Limits {
  connect: number;
  /** For all calls, instead of those in the table. */
  patience: Partial<Patience>;
  /** By what is asked. */
  table: Readonly<Record<Asked, Patience>>;
  bytes: number;
  /** Before the first repeat of a read; doubled for each further one. */
  backOff: number;
  /** From the first attempt of a read to the start of the last one. */
  budget: number;
}

const defaults: Limits = {
  connect: 3000,
  patience: {},
  table: patience,
  bytes: bounds.largeAnswer.bytes,
  backOff: 200,
  budget: 5000,
};
const attempts = 3;
/** The last repeat of a write under its key still has this long (ms) to arrive. */
const grace = 25_000;
const passing = [429, 502, 503, 504];

export interface Http {
  /** One attempt, which counts as sending the write under way. Rejects with a Failure if no complete answer arrived. */
  send(outgoing: Outgoing): Promise<Reply>;
  /** For reads only: repeated with back-off if the service is unreachable or says that it is overloaded. */
  read(prepare: () => Outgoing): Promise<Reply>;
}

interface Deps {
  agent: Agent;
  clock: Clock;
  newId: () => string;
  log: Logger;
  limits?: Partial<Limits>;
  /** Never to be shown, whichever request they come back with. */
  secrets?: readonly string[];
}

/** Characters of a refusal that are looked at, and of a content type. */
const longestRefusal = 128 * 1024;
const longestType = 100;

/**
 * Keep-alive connections, a pool for each origin; redirects are not followed. As many as are asked for: those who share
 * the agent have a share each, so that one's hanging requests leave the others connections.
 */
export function createAgent(limits: Partial<Limits> = {}): Agent {
  const { connect, bytes } = { ...defaults, ...limits };
  return new Agent({
    connect: { timeout: connect },
    maxResponseSize: bytes,
  });
}

/** Requests of one workspace, or of nobody. */
export function createHttp({ agent, clock, newId, log, limits, secrets: ownSecrets = [] }: Deps): Http {
  const { patience: ownPatience, table, bytes, backOff, budget } = { ...defaults, ...limits };
  const share = createShare();

  async function attempt(
    { method, url, headers, body, asked = 'usual', most = bounds.answer.bytes, secrets = [] }: Outgoing,
    within = Infinity,
  ): Promise<Reply> {
    // A message's id, so that the webhook which answers it can be told from others.
    const interactionId = headers?.[header.interaction] ?? newId();
    const { origin, pathname } = new URL(url);
    const started = clock.steady();
    const note = { method, origin, path: pathname, interactionId };
    const all = [...ownSecrets, ...secrets, ...credentialsIn(headers)];
    const masked: Mask = (text) => maskTokens(maskOf(all)(text));
    const limit = { ...table[asked], ...ownPatience };
    let answered = false;
    try {
      const answer = await request(url, {
        dispatcher: agent,
        method,
        headers: { accept: 'application/json', [header.interaction]: interactionId, ...headers },
        body: body ?? null,
        headersTimeout: limit.headers,
        bodyTimeout: limit.body,
        signal: AbortSignal.timeout(Math.min(limit.total, within + grace)),
      });
      answered = true;
      const text = await textOf(answer.body, Math.min(most, bytes));
      log.debug({ ...note, status: answer.statusCode, ms: clock.steady() - started }, 'upstream');
      return {
        status: answer.statusCode,
        text:
          answer.statusCode < 300
            ? maskOfAnswers(isOfKeys(pathname) ? credentialsIn(headers) : all)(text)
            : masked(text.slice(0, longestRefusal)),
        contentType: masked(String(answer.headers['content-type'] ?? '')).slice(0, longestType),
        interactionId,
        // A date is one of the service's clock.
        retryAfter: secondsUntil(
          String(answer.headers['retry-after'] ?? ''),
          Date.parse(String(answer.headers.date)) || clock.now(),
        ),
      };
    } catch (error) {
      const failure = unanswered(error, origin, answered, interactionId);
      log.warn(
        { ...note, code: failure.problem.code, reason: masked(String(error)), ms: clock.steady() - started },
        'upstream',
      );
      throw failure;
    }
  }

  // How much time is left for a write is looked at when its turn comes.
  const send = async (outgoing: Outgoing) =>
    share.run('writes', () =>
      sending(
        (within) => attempt(outgoing, within),
        ({ status }) => status,
        isConnected,
      ),
    );

  const pause = (ms: number) => new Promise<void>((resume) => clock.setTimeout(resume, ms));

  async function read(prepare: () => Outgoing): Promise<Reply> {
    const until = clock.steady() + budget;
    for (let turn = 1; ; turn += 1) {
      const outcome = await share
        .run('reads', () => attempt(prepare()))
        .catch((error: unknown) => {
          if (error instanceof Failure) return error;
          throw error;
        });
      // Jitter, so that callers who failed together do not come back together.
      const ownPause = backOff * 2 ** (turn - 1) * (0.5 + Math.random());
      const wait = outcome instanceof Failure ? ownPause : Math.max(ownPause, outcome.retryAfter * 1000);
      if (!isPassing(outcome) || turn === attempts || clock.steady() + wait > until) {
        if (outcome instanceof Failure) throw outcome;
        return outcome;
      }
      await pause(wait);
    }
  }

  return { send, read };
}

/** Throws before more than `most` bytes are kept. */
async function textOf(body: AsyncIterable<Buffer>, most: number): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > most) throw new errors.ResponseExceededMaxSizeError();
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** Worth another try soon. A time-out is not: the user has waited long enough to be told. */
const isPassing = (outcome: Reply | Failure): boolean =>
  outcome instanceof Failure ? outcome.problem.code === 'upstream-unreachable' : passing.includes(outcome.status);

/** Retry-After as whole seconds: it holds such a number or a date (RFC 9110, section 10.2.3). */
function secondsUntil(retryAfter: string, now: number): number {
  const seconds = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : Math.ceil((Date.parse(retryAfter) - now) / 1000);
  return seconds > 0 ? seconds : 0;
}

/** Answers of the auth service hold keys and tokens, which are needed as they are. */
const isOfKeys = (path: string): boolean =>
  [endpoints.createOrganisation, endpoints.createCompany, endpoints.accessToken].some((each) => path.endsWith(each));

/** A refusal is shown as evidence: what the service repeats of our secrets in it is not. */
const credentialsIn = (headers: Record<string, string> = {}): string[] =>
  [headers[header.apiKey], headers[header.signature], headers['authorization']?.replace('Bearer ', '')].filter(
    (secret) => secret !== undefined,
  );
