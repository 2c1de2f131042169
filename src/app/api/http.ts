import { parse, stringify } from '#contract/json.ts';
import { learnTime } from '#ui/clock.ts';

/** The only module that sends requests. */

/** Another console: its address, and headers for each request. */
export interface Elsewhere {
  origin: string;
  headers: Readonly<Record<string, string>>;
}

let elsewhere: Elsewhere | null = null;

/** Sends all further requests to another console, for code that runs without a page; null restores the page's own. */
export const connectTo = (console: Elsewhere | null): void => {
  elsewhere = console;
};

interface RequestConfig {
  method: string;
  /** Path and query. */
  url: string;
  /** Sent as JSON; nothing is sent if it is undefined. */
  data?: unknown;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
  /** Time (ms) after which the request has failed. */
  timeout?: number;
  /** The answer is bytes, even if they look like JSON; the refusal of one is JSON. */
  isFile?: boolean;
  /** A status besides 2xx that is no failure. */
  accepts?: number;
}

interface Answered<T> {
  status: number;
  data: T;
  header: (name: string) => string;
}

/** The failure of a request, with the answer if there was one. `data` of an answer that cannot be parsed is undefined. */
export class RequestFailure extends Error {
  readonly response: Pick<Answered<unknown>, 'status' | 'data'> | undefined;

  constructor(message: string, response?: RequestFailure['response']) {
    super(message);
    this.response = response;
  }
}

/** The URL with its query; leaves out undefined members. */
export function urlOf(url: string, params: Record<string, string | undefined> = {}): string {
  const given = Object.entries(params).filter((each): each is [string, string] => each[1] !== undefined);
  return given.length === 0 ? url : `${url}?${new URLSearchParams(given).toString()}`;
}

/** What a body holds: bytes of a file, JSON parsed, any other text as it is. Throws a SyntaxError. */
async function bodyOf(response: Response, isFile: boolean): Promise<() => unknown> {
  if (isFile && response.ok) {
    const bytes = await response.arrayBuffer();
    return () => bytes;
  }
  const text = await response.text();
  const isJson = text !== '' && /[/+]json/.test(response.headers.get('content-type') ?? '');
  return () => (isJson ? parse(text) : text);
}

/** The signal that ends a request: the caller's, or the time limit's. */
function endOf({ signal, timeout }: RequestConfig): AbortSignal | null {
  if (timeout === undefined) return signal ?? null;
  const limit = AbortSignal.timeout(timeout);
  return signal ? AbortSignal.any([signal, limit]) : limit;
}

/** Sends a request. Resolves to the response and what reads its body; rejects as `fetch` does. */
async function sent(config: RequestConfig): Promise<[Response, () => unknown]> {
  const { method, url, data, headers, isFile = false } = config;
  const response = await fetch(elsewhere ? elsewhere.origin + url : url, {
    method,
    headers: {
      ...(data !== undefined && { 'content-type': 'application/json' }),
      ...headers,
      ...elsewhere?.headers,
    },
    ...(data !== undefined && { body: stringify(data) }),
    signal: endOf(config),
  });
  return [response, await bodyOf(response, isFile)];
}

/** Sends a request. Rejects with a RequestFailure, or with the reason of `signal` if that has ended it. */
export async function request<T>(config: RequestConfig): Promise<Answered<T>> {
  const [response, read] = await sent(config).catch(() => {
    config.signal?.throwIfAborted();
    throw new RequestFailure('Network Error');
  });
  const { status, ok, headers } = response;
  let data: unknown;
  try {
    data = read();
  } catch {
    throw new RequestFailure('The response is no JSON, although it says so', { status, data });
  }
  if (!ok && status !== config.accepts) throw new RequestFailure(`The response has status ${status}`, { status, data });
  learnTime(headers.get('date') ?? undefined);
  return { status, data: data as T, header: (name) => headers.get(name) ?? '' }; // by the call's declaration
}

/** Whether an error is the failure of a request rather than its cancellation. */
export const hasFailed = (error: unknown): error is RequestFailure => error instanceof RequestFailure;
