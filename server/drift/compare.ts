import type { z } from 'zod';
import { effects } from '#contract/description.ts';
import { isObject } from '#contract/json.ts';
import { member } from '#contract/member.ts';
import { kindOf } from '#contract/shapeError.ts';
import { differencesIn, noMember, type Difference } from '#server/description/differences.ts';
import { webhookBodies } from '#server/upstream/webhooks.ts';
import { describedAnswer, describedAt, operations, type OperationName } from '#server/upstream/operations.ts';
import { isJsonType, mediaType } from '#server/http/receivedBody.ts';
import { verdictOf, verdictOfStatus } from '#server/upstream/verdict.ts';
import type { Exchange } from './exchange.ts';
import { effectOf, type Effect } from './reading.ts';

/** A kind of difference between what a service sent and the description, however often it came. */
export interface Finding {
  /** The name of the operation, or `webhook` and its type. */
  call: string;
  /** The place in the body, `[]` for each element of a list; '' for the answer as a whole. */
  path: string;
  expected: string;
  came: string;
  times: number;
  effect: Effect;
  /** When it came first and last; '' if unknown. */
  first: string;
  last: string;
  /** The latest entry of the timeline with it, if it is of one. */
  entry?: string;
}

export interface Uncompared {
  call: string;
  why: string;
  times: number;
}

export interface Comparison {
  /** How many successes and webhooks were compared, by call. */
  compared: Readonly<Record<string, number>>;
  /** Calls without a success that the service did not answer: unreachable, failed, or not let in. */
  blocked: Readonly<Record<string, string>>;
  /** Calls without a success that the service refused, whose problems were compared. */
  refused: Readonly<Record<string, string>>;
  /** Answers and webhooks of which no whole body is there, by call and reason. */
  uncompared: readonly Uncompared[];
  findings: readonly Finding[];
}

interface Found extends Difference {
  effect: Effect;
}

const worse = (one: Effect, other: Effect): Effect => (effects.indexOf(one) > effects.indexOf(other) ? one : other);

const placeOf = (path: Difference['path']): string =>
  path
    .map((step) => (typeof step === 'number' ? '[]' : step))
    .join('.')
    .replaceAll('.[]', '[]');

/** Statuses by which a service does not answer the question at all. */
const isBlocked = (status: number): boolean => status === 0 || status >= 500 || [401, 403, 407, 429].includes(status);

/** The answer to a conditional read: the body is what the reader has. */
const notModified = 304;

/** What the console puts in place of secrets in its recordings. */
const placeholder = /\$[A-Z][A-Z\d_]*/;

const valueAt = (body: unknown, path: Difference['path']): unknown =>
  path.reduce<unknown>((at, step) => (at as Record<string | number, unknown> | null | undefined)?.[step], body);

/** A text that is not as described may stand for a secret; whether its member is described does not depend on it. */
const isMasked = (body: unknown, { path, expected }: Difference): boolean => {
  const value = valueAt(body, path);
  return typeof value === 'string' && placeholder.test(value) && expected !== noMember;
};

const bodyDifferences = (name: OperationName | 'webhook', schema: z.ZodType, body: unknown): Found[] =>
  differencesIn(schema, body, { isClosed: true })
    .filter((each) => !isMasked(body, each))
    .map((each) => ({ ...each, effect: effectOf(name, body, each.path) }));

const whole = (expected: string, came: string, effect: Effect): Found => ({ path: [], expected, came, effect });

function jsonIn(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** What came in place of JSON. */
function cameInstead(body: string, type: string): string {
  const media = mediaType(type);
  if (body === '') return 'no body';
  return media === '' || isJsonType(media) ? 'a text that is not JSON' : media;
}

type Answer = Extract<Exchange, { kind: 'answer' }>;

function answerDifferences(
  name: OperationName,
  { method, status, type, unaskedCoding }: Answer,
  body: string,
): Found[] {
  const { success, type: expected = '', schema } = describedAnswer(name, status);
  const isRefusal = status >= 400;
  const isWrite = method !== 'GET' && name !== 'accessToken';
  const verdict = verdictOfStatus(status);
  const isDone = isWrite ? verdict === 'done' : status >= 200 && status < 300;
  const ofStatus = [
    ...(isRefusal || status === success
      ? []
      : [whole(`status ${success}`, `status ${status}`, isDone ? 'works' : 'fails')]),
    // The console asks for none, and does not believe a refusal of a write that has one.
    ...(unaskedCoding === undefined
      ? []
      : [whole('no content coding', `the content coding ${unaskedCoding}`, isRefusal && isWrite ? 'fails' : 'works')]),
  ];
  if (!schema) return body === '' ? ofStatus : [...ofStatus, whole('no body', mediaType(type) || 'a body', 'works')];
  if (!expected.endsWith('json')) return ofStatus;
  const parsed = jsonIn(body);
  // A refusal that the console does not understand leaves the outcome of a write open.
  const headers: Readonly<Record<string, string>> = { 'content-type': type, 'content-encoding': unaskedCoding ?? '' };
  const received = { status, text: body, headers };
  const understood: Effect = isRefusal && (!isWrite || verdictOf(received) === verdict) ? 'works' : 'fails';
  if (!parsed) return [...ofStatus, whole('JSON', cameInstead(body, type), understood)];
  const ofType =
    mediaType(type) === expected ? [] : [whole(`the type ${expected}`, mediaType(type) || 'no type', 'works' as const)];
  const found = bodyDifferences(name, schema, parsed.value);
  return [...ofStatus, ...ofType, ...found.map((each) => (isRefusal ? { ...each, effect: understood } : each))];
}

/** One webhook may contain a list of events (wire, section 6.3). */
function webhookDifferences(text: string): { call: string; found: Found[] }[] {
  const parsed = jsonIn(text);
  if (!parsed) return [{ call: 'webhook', found: [whole('JSON', cameInstead(text, ''), 'fails')] }];
  return [parsed.value].flat().map((body: unknown) => {
    const type = isObject(body) ? body['type'] : undefined;
    const named = typeof type === 'string' ? type : undefined;
    const schema = named === undefined ? undefined : member(webhookBodies, named);
    if (schema) return { call: `webhook ${named}`, found: bodyDifferences('webhook', schema, body) };
    const came = named === undefined ? kindOf(type) : JSON.stringify(named).slice(0, 60);
    const effect = effectOf('webhook', body, ['type']);
    return { call: 'webhook', found: [{ path: ['type'], expected: 'a type that is described', came, effect }] };
  });
}

/** Compares what a service sent with its description. */
export function compare(exchanges: readonly Exchange[]): Comparison {
  const compared: Record<string, number> = {};
  const [blocked, refused]: [Record<string, string>, Record<string, string>] = [{}, {}];
  const uncompared = new Map<string, Uncompared>();
  const findings = new Map<string, Finding>();
  const count = (call: string): void => void (compared[call] = (compared[call] ?? 0) + 1);
  const add = (call: string, found: readonly Found[], { at, entry }: Exchange): void => {
    for (const { path, expected, came, effect } of found) {
      const finding = { call, path: placeOf(path), expected, came };
      const key = JSON.stringify(finding);
      const before = findings.get(key) ?? { ...finding, times: 0, effect, first: at, last: at };
      const { times, first } = before;
      const latest = { last: at, ...(entry !== undefined && { entry }) };
      findings.set(key, { ...before, times: times + 1, effect: worse(before.effect, effect), first, ...latest });
    }
  };
  const pass = (call: string, why: string): void => {
    const key = JSON.stringify([call, why]);
    uncompared.set(key, { call, why, times: (uncompared.get(key)?.times ?? 0) + 1 });
  };
  for (const exchange of exchanges) {
    const { body } = exchange;
    if (exchange.kind === 'webhook')
      if (typeof body !== 'string') pass('webhook', body.unread);
      else
        for (const { call, found } of webhookDifferences(body)) {
          count(call);
          add(call, found, exchange);
        }
    else {
      const name = describedAt(exchange.method, exchange.path);
      if (!name) continue;
      const { status } = exchange;
      if (status === notModified) {
        pass(name, `the answer is that nothing changed (status ${notModified})`);
        continue;
      }
      if (isBlocked(status)) {
        blocked[name] = status === 0 ? 'no answer' : `status ${status}`;
        continue;
      }
      if (typeof body !== 'string') {
        pass(name, body.unread);
        continue;
      }
      if (status < 400) count(name);
      else refused[name] = `status ${status}`;
      add(name, answerDifferences(name, exchange, body), exchange);
    }
  }
  const unanswered = (names: Record<string, string>) =>
    Object.fromEntries(Object.entries(names).filter(([name]) => compared[name] === undefined));
  const order = Object.keys(operations);
  const rank = ({ call }: Finding) => (order.includes(call) ? order.indexOf(call) : order.length);
  return {
    compared,
    blocked: unanswered(blocked),
    refused: unanswered(refused),
    uncompared: [...uncompared.values()],
    findings: [...findings.values()].sort((one, other) => rank(one) - rank(other)),
  };
}
