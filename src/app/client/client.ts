import type { AxiosError } from 'axios';
import type { PaymentFile } from '#contract/batch.ts';
import { calls, type CallName } from '#contract/calls.ts';
import { companyHeader, stepHeader, subjectHeader } from '#contract/constants.ts';
import { nameOffered } from '#contract/disposition.ts';
import { isProblem } from '#contract/isProblem.ts';
import type { Problem } from '#contract/problem.ts';
import type { Answer, Body, Params, Query } from '#contract/shapes.ts';
import { hasFailed, request as send, urlOf } from './http.ts';
import { noteAnswer } from './skippedParts.ts';
import { connection } from './connection.ts';
import { tellOtherTabs } from './otherTabs.ts';
import { clearCompany, syncCompany, currentCompany, currentStep } from './companyOfTab.ts';
import { subject } from './user.ts';

type If<T, Member> = T extends undefined ? unknown : Member;

/**
 * The input of a call, as its declaration in the contract requires: params, body, query, key (for writes), signal; `companyKey`
 * names the company that the call is made for, by default the one that this tab shows.
 */
export type Request<C extends CallName> = If<Params<C>, { params: Params<C> }> &
  If<Body<C>, { body: Body<C> }> &
  If<Query<C>, { query?: Query<C> }> &
  ((typeof calls)[C] extends { write: true } ? { key: string } : unknown) & {
    signal?: AbortSignal;
    companyKey?: string;
  };

/** All members that a request may have, for any call. */
interface AnyRequest {
  params?: Record<string, string>;
  query?: Record<string, string | undefined>;
  body?: unknown;
  key?: string;
  signal?: AbortSignal;
  companyKey?: string;
}

/** Cache of the latest answers with an ETag, by user, company and URL. */
const kept = new Map<string, { tag: string; data: unknown }>();
const mostKept = 8;

function keep(name: string, tag: string, data: unknown): void {
  kept.delete(name);
  if (tag) kept.set(name, { tag, data });
  for (const oldest of kept.keys()) if (kept.size > mostKept) kept.delete(oldest);
}

/** Responds while the console's server runs; and how long (ms) the page waits for it. */
const alivePath = '/healthz';
const aliveTimeout = 5000;

const unreachable = 'The console’s server could not be reached';

/**
 * Throws the problem of a write that is not sent, if the page has reason to doubt that the server can be reached and it
 * does not respond to a read. Only so is it certain that the write did not leave: a failed request may have arrived.
 */
export async function requireReachable(name: CallName, signal: AbortSignal | undefined): Promise<void> {
  const isOffline = (globalThis.navigator as Partial<Navigator> | undefined)?.onLine === false;
  if (!isOffline && !connection.isLost()) return;
  try {
    await send({ method: 'GET', url: alivePath, timeout: aliveTimeout, ...(signal && { signal }) });
  } catch (error) {
    if (!hasFailed(error)) throw error;
    const problem: Problem = {
      type: 'about:blank',
      title: unreachable,
      status: 0,
      detail: isOffline ? 'This browser is offline.' : '',
      code: 'console-unreachable',
      outcome: 'not-sent',
      call: name,
    };
    throw problem; // eslint-disable-line @typescript-eslint/only-throw-error -- effects reject with problems (machines/lib/effect.ts)
  }
}

/** Statuses with which a proxy answers for a server that it cannot reach. */
const ofProxies = [502, 503, 504];

/** The failure of a call as a problem: the server's, or one derived from the HTTP error. */
export function problemOf({ response, message }: AxiosError, name: CallName): Problem {
  if (isProblem(response?.data)) return { ...response.data, call: name };
  const isAnswered = response && !ofProxies.includes(response.status);
  return {
    type: 'about:blank',
    title: isAnswered ? 'The console’s server sent an unexpected response' : unreachable,
    status: response?.status ?? 0,
    // Axios calls it a network error, which adds nothing to the title.
    detail:
      response && !isAnswered
        ? `A proxy in front of it responded with status ${response.status}.`
        : message.replace('Network Error', ''),
    code: isAnswered ? 'internal' : 'console-unreachable',
    ...(calls[name].method !== 'GET' && { outcome: 'unknown' as const }),
    call: name,
  };
}

const filled = (path: string, params: Record<string, string> = {}): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

/** A file as the server sends it: body, type and name. */
const fileOf = (body: unknown, header: (name: string) => string): PaymentFile => ({
  bytes: new Uint8Array(body as ArrayBuffer), // because of `responseType`
  type: header('content-type'),
  name: nameOffered(header('content-disposition')),
});

/**
 * Makes one call of the console's API (contract, calls.ts), for the company shown in this tab and as the page's user,
 * and records the parts of the answer that were not understood. Rejects with a Problem, or with axios' CanceledError if
 * `signal` aborts the call. Revalidates cached answers by their ETag.
 */
export async function call<C extends CallName>(name: C, request: Request<C>): Promise<Answer<C>> {
  const { params, query, body, key, signal, companyKey: named } = request as AnyRequest; // Request<C> gives it these members, if any
  const { method, path } = calls[name];
  const url = urlOf(filled(path, params), query);
  const label = `${method} ${url}`;
  if (method !== 'GET') await requireReachable(name, signal);
  try {
    const [shown, step] = [currentCompany(), currentStep()];
    const companyKey = named ?? shown;
    const place = [subject(), companyKey, url].join('\n');
    const earlier = method === 'GET' ? kept.get(place) : undefined;
    const answer = await send<Answer<C>>({
      method,
      url,
      data: body,
      ...('file' in calls[name] && { responseType: 'arraybuffer' as const }),
      ...(signal ? { signal } : {}),
      headers: {
        ...(key && { 'Idempotency-Key': key }),
        [companyHeader]: companyKey,
        ...(subject() && { [subjectHeader]: subject() }),
        ...(step && { [stepHeader]: step }),
        ...(earlier && { 'If-None-Match': earlier.tag }),
      },
      validateStatus: (status) => (status >= 200 && status < 300) || (earlier !== undefined && status === 304),
    });
    const { headers } = answer;
    const read =
      'file' in calls[name]
        ? (fileOf(answer.data, (header) => String(headers[header] ?? '')) as Answer<C>)
        : answer.data; // by its declaration
    const data = earlier && answer.status === 304 ? (earlier.data as Answer<C>) : read; // of the same call
    if (!syncCompany(name, String(headers[companyHeader] ?? ''), shown)) return await call(name, request);
    if (method === 'GET') keep(place, String(headers['etag'] ?? ''), data);
    noteAnswer(label, data);
    return data;
  } catch (error) {
    if (!hasFailed(error)) throw error;
    const problem = problemOf(error, name);
    noteAnswer(label, problem);
    throw problem; // eslint-disable-line @typescript-eslint/only-throw-error -- effects reject with problems (machines/lib/effect.ts)
  } finally {
    if (method !== 'GET') tellOtherTabs();
  }
}

/** Forgets all answers and the company, because further calls go to another console. */
export function forgetAnswers(): void {
  kept.clear();
  clearCompany();
}
