import { calls, type CallName } from '#contract/calls.ts';
import type { Problem } from '#contract/problem.ts';
import type { Answer } from '#contract/shapes.ts';
import type { RecordedCall } from '#server/sandbox/recorded.ts';
import { serviceKey } from '#server/writes/serviceKey.ts';
import { header } from '#server/upstream/wire.ts';
import type { Exchange } from './line.ts';
import type { SeenAlert } from './walks.ts';

/** The problem in an answer; undefined if it has none, as that of a proxy. */
const problemIn = ({ status, text }: Exchange): Problem | undefined =>
  status >= 400 && text.startsWith('{') ? (JSON.parse(text) as Problem) : undefined; // the console's own

/** Says that the request is another one than that of its key, whatever became of that. */
const conflicting: Problem['code'] = 'idempotency-conflict';
const saysNotDone = ({ outcome, earlier, code }: Problem): boolean =>
  (outcome === 'not-sent' || outcome === 'refused') && earlier === undefined && code !== conflicting;

/** Those of the service's keys that a write of a user may have, whose company an answer need not name. */
const keysAtService = ({ key, companyKey, asked }: Exchange, workspaces: readonly string[]): string[] =>
  workspaces.flatMap((workspace) =>
    ['', companyKey, asked].map((companyKey) => serviceKey({ workspace, companyKey }, key)),
  );

/**
 * Returns the writes that somebody was told not to have been done, last of all, although the service has done them: a
 * sentence each. `workspaces`: those of the users.
 */
export function toldNotDone(
  exchanges: readonly Exchange[],
  made: readonly RecordedCall[],
  workspaces: readonly string[],
): string[] {
  const done = new Set(made.filter((each) => each.isDone).flatMap(({ headers }) => headers[header.idempotency] ?? []));
  const writes = new Map<string, Exchange[]>();
  for (const each of exchanges) {
    if (each.key === '') continue;
    const name = `${each.who} ${each.method} ${each.path} ${each.key}`;
    writes.set(name, [...(writes.get(name) ?? []), each]);
  }
  return [...writes.values()].flatMap((those) => {
    const heard = those.filter(({ status }) => status > 0).toSorted((one, other) => one.at - other.at);
    const last = heard.at(-1);
    const problem = last && problemIn(last);
    if (!problem || !saysNotDone(problem)) return [];
    // One that was sent later, or at the same time and is not answered, leaves the outcome unknown.
    const isOpen = ({ sentAt, status }: Exchange) => sentAt > last.sentAt || (status === 0 && sentAt === last.sentAt);
    if (those.some(isOpen)) return [];
    const { outcome, code } = problem;
    return keysAtService(last, workspaces).some((key) => done.has(key))
      ? [`${last.who} was told that ${last.method} ${last.path} was ${outcome} (${code}), but it was done.`]
      : [];
  });
}

/**
 * Returns the writes of browsers that were sent under two keys, although the body was the same and the outcome under
 * the first was not known in any tab: a sentence each.
 */
export function sentUnderTwoKeys(exchanges: readonly Exchange[], names: ReadonlySet<string>): string[] {
  const first = new Map<string, Exchange[]>();
  const wrong: string[] = [];
  for (const each of exchanges) {
    // Each payment has an externalId of its own, and what it covers is looked at otherwise.
    if (each.key === '' || !names.has(each.who) || each.path === calls.createBatch.path) continue;
    const name = `${each.who} ${each.method} ${each.path} ${each.asked} ${each.body}`;
    const before = first.get(name) ?? [];
    // A key that was used before was judged then.
    const isNew = !before.some(({ key }) => key === each.key);
    const isKnown = (key: string): boolean =>
      before.some((other) => other.key === key && other.status > 0 && isDefinite(other) && other.at <= each.sentAt);
    const open = isNew && before.find(({ key }) => !isKnown(key));
    if (open)
      wrong.push(
        `${each.who} sent ${each.method} ${each.path} under ${open.key} and ${each.key}, before the outcome was known.`,
      );
    first.set(name, [...before, each]);
  }
  return wrong;
}
function isDefinite(exchange: Exchange): boolean {
  if (exchange.status < 300) return true;
  const problem = problemIn(exchange);
  return problem !== undefined && problem.outcome !== 'unknown';
}

const isOf = (name: CallName, { method, path }: Exchange): boolean =>
  calls[name].method === method && new RegExp(`^${calls[name].path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);

/** Whether an answer says that a provider has refused a message with these words. */
function saysRefused(exchange: Exchange, detail: string | undefined): boolean {
  if (exchange.status !== 200 || !isOf('getMessage', exchange)) return false;
  const { data } = JSON.parse(exchange.text) as Answer<'getMessage'>;
  return data.state === 'refused' && data.detail === detail;
}

/**
 * Returns the alerts about failures that say more than the console had said, or than the page could know: a sentence
 * each.
 */
export function wrongAlerts(alerts: readonly SeenAlert[], exchanges: readonly Exchange[]): string[] {
  return alerts.flatMap(({ by, at, since, failure }) => {
    const { code, detail, outcome, earlier, call } = failure;
    if ((outcome !== 'not-sent' && outcome !== 'refused') || earlier) return [];
    const own = exchanges.filter((each) => each.who === by.name && each.sentAt <= at);
    const isWrite = (each: Exchange): boolean => each.key !== '' && call !== undefined && isOf(call, each);
    const said = own.some((each) => {
      if (each.at > at) return false;
      if (outcome === 'refused' && code === 'upstream-refused' && saysRefused(each, detail)) return true;
      const problem = problemIn(each);
      if (problem?.code !== code || problem.detail !== detail) return false;
      // What the write needs could not be read, so that it was not sent.
      const isBefore = outcome === 'not-sent' && each.key === '';
      return isBefore
        ? !own.some((other) => isWrite(other) && other.sentAt >= each.sentAt)
        : problem.outcome === outcome;
    });
    if (said) return [];
    const name = `The alert ${code} (${outcome}: ${detail}) that ${by.name} saw at ${at}`;
    if (code !== 'console-unreachable') return [`${name} says what the console had not said.`];
    const writes = own.filter((each) => each.sentAt >= since && isWrite(each));
    return writes.at(-1)?.status === 0 ? [`${name} says that nothing was sent, but the write had been.`] : [];
  });
}
