import { header } from '#contract/requests/headers.ts';
import type { TransportRequest, TransportResponse } from '#server/upstream/exchange.ts';
import { TransportError } from '#server/upstream/exchange.ts';
import type { ClosableTransport } from '#server/upstream/transport.ts';
import type { Recording } from './recording.ts';
import type { Owner, Scheduler } from './scheduler.ts';

/** The address at which the network knows the console, and the service. */
export const [consoleUrl, serviceUrl] = ['http://console.example', 'http://service.example'];

/** What happens to an exchange between console and service. */
export const networkAccidents = [
  'refused', // no connection
  'lost', // the request never arrives
  'answer-lost', // the service does it, and its answer never arrives
  'answer-cut', // the connection ends within the answer
  'slow', // the answer comes after the time-out
  'late', // the answer comes within the time-out, when others have overtaken it
  'held', // the request arrives when others have overtaken it, perhaps after the time-out
  'doubled', // the request arrives twice, and its first answer or its second
] as const;
export type NetworkAccident = (typeof networkAccidents)[number];

/** How a bad service answers something that it has done, or not done. */
export const hostilities = [
  'done-500', // does it, and says that it failed
  'done-409', // does it, and says that it is known
  'done-499', // does it, and answers with a status of no standard
  'done-empty', // does it, and answers without an id
  'done-202', // does it, and says that it will
  'other-answer', // does it, and gives the answer to another request, which may never have been heard
  'other-id', // does it, and names a batch that it has named before
  'two-ids', // does it, and names another batch than its link does
  'not-done-502', // does nothing, and a proxy says so
  'upper-case', // statuses in other letters
  'reversed', // lists in another order
  'earlier', // a read answers what it answered once before, as a copy that lags behind does
] as const;
/** What some services always do. */
export type Habit = Extract<Hostility, 'upper-case' | 'reversed'>;
/** What no client can make good, because the protocol promises otherwise: with it, an invariant must fail. */
const brokenPromise = 'forgets-key'; // does a repeat as if it were new
export type Hostility = (typeof hostilities)[number] | typeof brokenPromise;

const error = (message: string, code: string): Error => Object.assign(new Error(message), { code });
const json = (status: number, body: unknown): TransportResponse => ({
  status,
  headers: ['content-type', 'application/json'],
  body: Buffer.from(JSON.stringify(body)),
});

/** Returns a value in which each list is reversed. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed).reverse();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, reversed(each)]));
}
const inUpperCase = (text: string): string =>
  text.replaceAll(/"status":"(\w+)"/g, (_, status: string) => `"status":"${status.toUpperCase()}"`);

/** The id of a batch in a body. */
const idIn = (text: string): string | undefined => /"batchId":"([^"]+)"/.exec(text)?.[1];

/** The application that a path belongs to; '' without users who sign in. */
const applicationIn = (path: string): string => /^\/of\/[^/]+/.exec(path)?.[0] ?? '';

/** An answer to a reading that the console has received: when that was, and when it had asked (ms). */
export interface HeardRead {
  path: string;
  text: string;
  sentAt: number;
  at: number;
}

interface Service {
  fetch(address: string, init: RequestInit): Promise<Response>;
}

/** Says which accident happens to an exchange, and which hostility. */
export interface Weather {
  /** Records the exchanges, if anything does. */
  recording?: Recording | undefined;
  network: (request: TransportRequest) => NetworkAccident | undefined;
  service: (request: TransportRequest) => Hostility | undefined;
  /** How the service answers every read, if it differs from the sandbox. */
  habit?: () => Habit | undefined;
  /** Whether the console has told somebody of a batch. */
  isTold?: (batchId: string) => boolean;
}

/** Returns the network between the console's processes and the service. */
export function createNetwork(scheduler: Scheduler, service: Service, weather: Weather) {
  const choice = scheduler.of('network');
  /** The latest answers to writes and to reads, by path, for those that are given to another request. */
  const written: TransportResponse[] = [];
  /** The application that each answer to a write was for. */
  const applications = new Map<TransportResponse, string>();
  /** The ids of batches that the service has told another application than theirs. */
  const mistold = new Set<string>();
  /** Those of them that have reached the console. */
  const heard = new Set<TransportResponse>();
  const heardReads: HeardRead[] = [];
  const read = new Map<string, TransportResponse[]>();
  /** The processes whose requests have not left them yet, one for each. */
  const leaving = new Set<{ owner: Owner }>();
  /** The idempotency keys of requests that arrived twice; their repeats do not (wire 2.2.12). */
  const doubled = new Set<string>();
  /** Until when (ms) a request or an answer is under way. */
  let busyUntil = 0;
  const takes = (ms: number): number => {
    busyUntil = Math.max(busyUntil, scheduler.now() + ms);
    return ms;
  };

  async function handled(request: TransportRequest): Promise<TransportResponse> {
    const hostility = weather.service(request);
    if (hostility) scheduler.note(`* service: ${hostility} for ${request.method} ${request.path}`);
    if (hostility === 'not-done-502') return json(502, { message: 'Bad gateway' });
    const body = request.body === undefined ? undefined : request.body.toString();
    scheduler.mix(body ?? '');
    const response = await service.fetch(request.origin + request.path, {
      method: request.method,
      headers: pairsOf(request.headers).map(([name, value]): [string, string] =>
        hostility === brokenPromise && name.toLowerCase() === header.idempotency
          ? [name, crypto.randomUUID()]
          : [name, value],
      ),
      ...(body !== undefined && { body }),
    });
    const answer: TransportResponse = {
      status: response.status,
      // Without the length, as an accident may give another body, and a connection delivers none of another length.
      headers: [...response.headers].filter(([name]) => name !== 'content-length').flat(),
      body: Buffer.from(await response.arrayBuffer()),
    };
    scheduler.mix(answer.body.toString());
    const isWrite = request.method !== 'GET';
    const before = read.get(request.path) ?? [];
    const unheard = written.filter((each) => !heard.has(each));
    // An id that the console has never heard, in an answer that agrees with itself, could not be told from the right one.
    const told = written.filter((each) => weather.isTold?.(idIn(each.body.toString()) ?? ''));
    const others = hostility === 'other-id' ? told : unheard.length > 0 ? unheard : written;
    const other = hostility && others.length > 0 ? choice.pick(others) : undefined;
    if (!isWrite && answer.status < 300 && !before.some(({ body: said }) => said.equals(answer.body)))
      read.set(request.path, [...before, answer]);
    if (request.path.endsWith('/batchpayments') && answer.status < 300) {
      written.push(answer);
      applications.set(answer, applicationIn(request.path));
    }
    const habit = weather.habit?.();
    if (hostility === undefined && (isWrite || !habit)) return answer;
    const text = answer.body.toString();
    const changed = (body: string): TransportResponse => ({ ...answer, body: Buffer.from(body) });
    const own = idIn(text);
    const ofOther = (): string | undefined => {
      const id = other && idIn(other.body.toString());
      if (id !== undefined && applications.get(other!) !== applicationIn(request.path)) mistold.add(id); // it has an id
      return id;
    };
    switch (hostility ?? habit) {
      case undefined:
        return answer;
      case brokenPromise:
        return answer;
      case 'done-500':
        return json(500, { message: 'Internal error' });
      case 'done-409':
        return json(409, { message: 'Conflict' });
      case 'done-499':
        return json(499, { message: 'Client closed request' });
      case 'done-empty':
        return json(200, {});
      case 'done-202':
        return json(202, {});
      case 'other-answer':
        if (!other) return answer;
        ofOther();
        return { ...answer, status: other.status, body: other.body };
      case 'other-id':
        return own === undefined ? answer : changed(text.replaceAll(own, ofOther() ?? own));
      case 'two-ids':
        return isWrite && own !== undefined ? changed(text.replace(own, ofOther() ?? own)) : answer;
      case 'upper-case':
        return changed(inUpperCase(text));
      case 'reversed':
        return /json/.test(response.headers.get('content-type') ?? '')
          ? changed(JSON.stringify(reversed(JSON.parse(text))))
          : answer;
      case 'earlier':
        return !isWrite && before.length > 0 ? { ...answer, body: choice.pick(before).body } : answer;
    }
  }

  const transportOf = (owner: Owner): ClosableTransport => {
    const send = (request: TransportRequest, { timeouts }: { timeouts: { headers: number } }) =>
      new Promise<TransportResponse>((resolve, reject) => {
        const accident = weather.network(request);
        const name = `${request.method} ${request.path.split('?')[0]}`;
        const key = new Map(pairsOf(request.headers)).get(header.idempotency);
        const recorded = weather.recording?.begin('service', {
          method: request.method,
          url: request.origin + request.path,
          headers: Object.fromEntries(pairsOf(request.headers)),
          body: request.body?.toString() ?? '',
        });
        const noteEnd = (answer?: TransportResponse) =>
          recorded?.({
            status: answer?.status ?? 0,
            reason: accident ?? '',
            body: answer?.body.toString() ?? '',
            headers: Object.fromEntries(pairsOf(answer?.headers ?? [])),
          });
        noteEnd();
        const sentAt = scheduler.now();
        let isOver = false;
        const timer = scheduler.plan(
          timeouts.headers,
          '',
          () =>
            end(() =>
              reject(new TransportError('timeout', true, error('no answer in time', 'UND_ERR_HEADERS_TIMEOUT'))),
            ),
          owner,
        );
        const end = (settle: () => void) => {
          if (isOver || owner.isDead) return;
          isOver = true;
          scheduler.cancel(timer);
          settle();
        };
        request.onBegun?.((reason) => end(() => reject(reason)));
        const departure = { owner };
        leaving.add(departure);
        const leave = () => {
          leaving.delete(departure);
          if (isOver) return;
          if (accident) scheduler.note(`* network: ${accident} for ${name}`);
          if (accident === 'refused')
            return end(() => reject(new TransportError('unreachable', false, error('refused', 'ECONNREFUSED'))));
          try {
            request.mayBegin?.();
          } catch (cause) {
            return end(() => reject(cause instanceof Error ? cause : new Error(String(cause))));
          }
          if (accident === 'lost') return;
          const isAgain = key !== undefined && doubled.has(key);
          const times = accident === 'doubled' && !isAgain ? 2 : 1;
          if (times > 1 && key !== undefined) doubled.add(key);
          for (let time = 0; time < times; time += 1) travel(accident === 'held' ? timeouts.headers * 1.5 : 40);
        };
        scheduler.plan(takes(choice.between(0, 3)), '', leave, owner);
        const travel = (most: number) =>
          scheduler.plan(takes(choice.between(1, most)), `${name} arrives at the service`, () => {
            void handled(request).then(
              (answer) => arrive(answer),
              () => cut(),
            );
          });
        const cut = () =>
          end(() =>
            reject(new TransportError('cut-short', true, error('the connection was closed', 'UND_ERR_SOCKET'))),
          );
        const arrive = (answer: TransportResponse) => {
          const delay =
            accident === 'slow'
              ? timeouts.headers + 1000
              : choice.between(1, accident === 'late' ? timeouts.headers - 1000 : 40);
          scheduler.plan(
            takes(delay),
            `${answer.status} for ${name} arrives at ${owner.name}`,
            () => {
              if (accident === 'answer-lost') return;
              if (accident === 'answer-cut') return cut();
              end(() => {
                noteEnd(answer);
                heard.add(answer);
                if (request.method === 'GET' && answer.status === 200)
                  heardReads.push({ path: request.path, text: answer.body.toString(), sentAt, at: scheduler.now() });
                resolve(answer);
              });
            },
            owner,
          );
        };
      });
    return Object.assign(send, { close: () => Promise.resolve() });
  };
  const isQuiet = () => scheduler.now() > busyUntil + 200 && ![...leaving].some(({ owner }) => !owner.isDead);
  return Object.assign(transportOf, { isQuiet, mistold, heardReads: heardReads });
}

/** Returns headers as pairs of name and value. */
function pairsOf(headers: TransportRequest['headers']): [string, string][] {
  const flat = Array.isArray(headers) ? (headers as readonly string[]) : Object.entries(headers).flat();
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < flat.length; at += 2) pairs.push([flat[at]!, flat[at + 1]!]); // within the list
  // A part of an application's own connection.
  return pairs.filter(([name]) => !/^(host|connection|content-length|transfer-encoding)$/i.test(name));
}
