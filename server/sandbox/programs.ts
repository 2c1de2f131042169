import { AsyncLocalStorage } from 'node:async_hooks';
import type { Middleware } from 'koa';
import { isObject, parse, stringify } from '#contract/json.ts';
import type { Clock } from '#server/clock.ts';

/** A call of the service's API as the sandbox received and answered it. */
export interface ObservedCall {
  /** The port from which it came, on the caller's machine. */
  port: number | undefined;
  startedAt: number;
  ms: number;
  method: string;
  url: string;
  status: number;
  request: { headers: Readonly<Record<string, string | string[] | undefined>>; body: string };
  response: { headers: Readonly<Record<string, string>>; body: string };
  /** What was wrong with it, a sentence each. */
  wrong: readonly string[];
  /** The text that its signature had to sign; '' if the signature is right, or none is needed. */
  expected: string;
  /** The text that it seems to sign in place of that; '' if that is not known. */
  signed: string;
}

/** What the handlers of a call find out about it. */
interface Findings {
  wrong: string[];
  expected: string;
  signed: string;
}

const observing = new AsyncLocalStorage<Findings>();

/** Adds what is wrong with the current call in a sentence. */
export const noteWrong = (sentence: string): void => void observing.getStore()?.wrong.push(sentence);

/** Notes a signature that does not fit: what had to be signed, and what seems to have been signed. */
export function noteSignature(expected: string, signed: string): void {
  const findings = observing.getStore();
  if (findings) Object.assign(findings, { expected, signed });
}

/** Most members that are named as unknown, and the deepest that are looked at. */
const most = 20;
const deepest = 6;

/** Notes the members of a body that its schema has left out. */
export function noteUnknown(given: unknown, taken: unknown, path = '', depth = 0): void {
  const findings = observing.getStore();
  if (!findings || depth > deepest || findings.wrong.length >= most) return;
  if (Array.isArray(given) && Array.isArray(taken))
    given.slice(0, most).forEach((each, index) => noteUnknown(each, taken[index], `${path}.${index}`, depth + 1));
  if (!isObject(given) || !isObject(taken)) return;
  for (const [name, value] of Object.entries(given)) {
    const at = path === '' ? name : `${path}.${name}`;
    if (Object.hasOwn(taken, name)) noteUnknown(value, taken[name], at, depth + 1);
    else if (findings.wrong.length < most)
      findings.wrong.push(`Unknown field ${at}: this call has none, it is ignored`);
  }
}

/** Paths of the service's API; others are pages, and calls of the fault lab. */
const isApi = (path: string): boolean =>
  /^\/(v3|auth-v1|api-msg-v1|network-v1|files)\//.test(path) || path === '/idp/userinfo';

/** Most characters of an answer that are searched for errors. */
const longest = 256 * 1024;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What an answer says is wrong: a problem, or the errors of a batch, each with the rule that is broken. */
function told(body: string): string[] {
  if (body.length > longest || !body.startsWith('{')) return [];
  const answer = parse(body);
  const { error, detail, errors } = isObject(answer) ? answer : {};
  const list = isObject(error) ? error['detail'] : errors;
  const each = (Array.isArray(list) ? list : []).slice(0, most).flatMap((fault) => {
    if (!isObject(fault)) return [];
    const place = textOf(fault['path'] ?? fault['target']);
    const id = textOf(fault['ruleId'] ?? fault['sourceId']);
    const rule = id ? `Rule ${id} is broken: ` : '';
    return [`${rule}${[place, textOf(fault['message'])].filter(Boolean).join(': ')}`];
  });
  return each.length > 0 ? each : typeof detail === 'string' ? [detail] : [];
}

const bodyOf = (body: unknown): string =>
  typeof body === 'string' ? body : body === null || body === undefined ? '' : stringify(body);

/** Passes each call of the API on once it is answered. Calls that the fault lab leaves without an answer do not end. */
export const observed =
  (observe: (call: ObservedCall) => void, url: string, clock: Clock): Middleware =>
  async (ctx, next) => {
    if (!isApi(ctx.path)) {
      await next();
      return;
    }
    const [startedAt, begun] = [clock.now(), clock.steady()];
    const findings: Findings = { wrong: [], expected: '', signed: '' };
    await observing.run(findings, next);
    const body = bodyOf(ctx.body);
    const refused = ctx.status >= 400 || ctx.path.startsWith('/v3/batchpayments/');
    observe({
      port: ctx.req.socket.remotePort,
      startedAt,
      ms: clock.steady() - begun,
      method: ctx.method,
      url: url + ctx.originalUrl,
      status: ctx.status,
      request: { headers: ctx.headers, body: ctx.request.rawBody ?? '' }, // undefined for a call without a body
      response: { headers: { 'content-type': ctx.type }, body },
      wrong: [...(refused ? told(body) : []), ...findings.wrong],
      ...{ expected: findings.expected, signed: findings.signed },
    });
  };
