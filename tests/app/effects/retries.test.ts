// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createActor,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type EventObject,
  type StateValue,
} from 'xstate';
import { suppliedJourneys } from '#app/effects/journeys.ts';
import { lab } from '#app/effects/lab.ts';
import { batchRows, webhookRows } from '#app/effects/labForms.ts';
import { programs } from '#app/effects/programs.ts';
import { calls, type CallName } from '#contract/calls.ts';
import type { Problem } from '#contract/problem.ts';
import { isSent } from '#machines/lib/messaging.ts';
import type { JourneyContext } from '#machines/lib/gate.ts';
import { journeyOrder, type JourneyId } from '#machines/journeys.ts';
import { effectsOf, invokedMachines } from '#machines/lib/effect.ts';
import { retryOf } from '#machines/lib/retry.ts';
import { hasTag, invokedIn, stateOf } from '#machines/lib/state.ts';
import { retryWords } from '#ui/outcomeWords.ts';
import { models } from '#tests/machines/models.ts';
import { settled } from '#tests/support/deferredPorts.ts';
import { advance, runningEffects } from '#tests/support/invoked.ts';
import { pathsThrough } from '#tests/support/paths.ts';

interface Sent {
  name: CallName;
  request: { params?: unknown; body?: unknown; key?: string };
}

/** The requests that the fake server has received. It executes each write and loses its answer. */
const sent: Sent[] = [];
const answers: Partial<Record<CallName, unknown>> = {
  getUserInfo: { data: { sub: 'user-1', email: 'user@example.com' } },
  getSettings: { acceptLanguage: 'en-GB', subscriptions: '[]' },
  getLab: { data: { clock: { now: '2026-11-20T09:00:00.000Z' } } },
};
const isWrite = ({ name }: Sent): boolean => calls[name].method !== 'GET';

/** The problem of a lost response; `messageId` is the query's message, as on the server. */
const lost = (name: CallName): Problem => ({
  type: 'about:blank',
  title: 'The console’s server could not be reached',
  status: 0,
  detail: 'The answer was lost',
  code: 'upstream-timeout',
  outcome: 'unknown',
  call: name,
  ...(name.startsWith('query') && { messageId: 'message-1' }),
});

vi.mock('#app/client/client.ts', () => ({
  call: (name: CallName, request: Sent['request']) => {
    sent.push({ name, request });
    if (calls[name].method !== 'GET') return Promise.reject(lost(name)); // eslint-disable-line @typescript-eslint/prefer-promise-reject-errors -- as `call` does
    return answers[name] ? Promise.resolve(answers[name]) : new Promise(() => {});
  },
}));

const effectsIn = (machine: AnyStateMachine, snapshot: AnyMachineSnapshot) =>
  runningEffects(snapshot).map((id) => effectsOf(machine)[id]?.declared.kind);
const sends = (machine: AnyStateMachine, snapshot: AnyMachineSnapshot): boolean =>
  effectsIn(machine, snapshot).some((effect) => effect === 'writes' || effect === 'clears');

const contextOf = (snapshot: AnyMachineSnapshot) => snapshot.context as object;

interface Start {
  machine: AnyStateMachine;
  snapshot: AnyMachineSnapshot;
  event: EventObject;
}

/** The states of a journey in which an event starts a write, each kind once. */
function sendingFrom(id: JourneyId): Start[] {
  const { machine } = models[id];
  const found = new Map<string, Start>();
  for (const { start, steps } of pathsThrough(models[id]))
    for (const [at, { event, snapshot }] of steps.entries()) {
      const before = steps[at - 1]?.snapshot ?? start;
      if (snapshot.status === 'active' && sends(machine, snapshot) && !sends(machine, before))
        found.set(`${stateOf(before)} ${event.type} ${stateOf(snapshot)}`, { machine, snapshot: before, event });
    }
  return [...found.values()];
}

/** The kind of a retry, by the requests that it sent. */
function kindOf(failed: AnyMachineSnapshot, first: readonly Sent[], second: readonly Sent[]): string {
  const [write, ...more] = second.filter(isWrite);
  if (more.length > 0) return 'several requests';
  if (!write) return second.length === 0 && runningEffects(failed).length === 0 ? 'confirms' : 'reads';
  const earlier = first.filter(isWrite).at(-1);
  const isSame = JSON.stringify(write) === JSON.stringify(earlier) && write.request.key !== undefined;
  // The server stores a message's key and resends the message by its id.
  const resends = write.name === 'sendMessageAgain';
  return isSame || resends ? 'same' : 'new';
}

/** The event goes to the machine that the journey invokes, if that one takes it. */
function takerOf({ machine, snapshot, event }: Start): Start {
  const invoked = invokedIn(snapshot);
  if (!invoked?.can(event)) return { machine, snapshot, event };
  const taker = invokedMachines(machine)[invoked.machine.id];
  return taker ? { machine: taker, snapshot: invoked, event } : { machine, snapshot, event };
}

/** Sends a write, loses its response and retries; resolves to the announced and the actual kind of retry. */
async function tried(start: Start) {
  const { machine, snapshot, event } = takerOf(start);
  const resumed = machine.resolveState({ value: snapshot.value as StateValue, context: contextOf(snapshot) });
  const actor = createActor(machine, { snapshot: resumed }).start();
  actor.send(event);
  await settled();
  const failed = actor.getSnapshot() as AnyMachineSnapshot;
  const { failure } = failed.context as JourneyContext;
  // A resource stays in its state and shows why its last act failed.
  const isShown = hasTag(failed, 'failed') || machine.id === 'resource';
  if (!isShown || !failure || !failed.can({ type: 'retry' })) return null;
  const first = sent.splice(0);
  const says = retryOf(failed, failure);
  actor.send({ type: 'retry' });
  await settled();
  const after = actor.getSnapshot() as AnyMachineSnapshot;
  const does = kindOf(after, first, sent.splice(0));
  actor.stop();
  return { from: `${stateOf(snapshot)} ${event.type} ${stateOf(failed)}`, outcome: failure.outcome, says, does };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T09:00:00Z') });
  sent.length = 0;
  localStorage.clear();
});
afterEach(() => vi.useRealTimers());

const sending = journeyOrder.map((id) => [id, sendingFrom(id)] as const).filter(([, starts]) => starts.length > 0);

describe('“Try again” after a write with a lost response', () => {
  it.each(sending)('on the page of %s has the effect that the page states (behaviour 10.2.2)', async (id, starts) => {
    const { machine } = suppliedJourneys[id];
    const all = [];
    for (const start of starts) all.push(await tried({ ...start, machine }));
    const retries = all.filter((each) => each !== null);
    expect(retries.length).toBeGreaterThan(0);
    for (const { from, says, does } of retries) expect([from, says]).toEqual([from, does]);
    expect(retries.map(({ outcome }) => outcome)).toEqual(retries.map(() => 'unknown'));
  });

  it('is tested on a page of every kind that writes', () => {
    const kinds = sending.map(([id]) => id);
    for (const id of [
      'organisation',
      'subscription',
      'authorisation',
      'debtor',
      'creditorQuery',
      'electronicPayment',
      'settings',
      'userToken',
    ])
      // prettier-ignore
      expect(kinds).toContain(id);
  });

  const row = { id: 'row-1', may: ['step', 'again', 'explain'] };
  const token = { tokenId: 'token-1', name: 'Nightly' };
  const standing = {
    rules: [{ ruleId: 'rule-1' }],
    clock: { now: '2026-11-20T09:00:00.000Z', offset: 1, still: false, pending: 0 },
    receiver: { url: 'http://127.0.0.1:9/' },
  };
  const shown = { known: 'shown', doing: 'idle' };
  const inLab: [string, AnyStateMachine, unknown, StateValue, object, readonly AnyEventObject[]][] = [
    ['the lab', lab.logic, lab.kind, shown, { known: standing }, [{ type: 'act', act: 'lab.stop' }, { type: 'act', act: 'clock.hold' }, { type: 'act', act: 'receiver.remove' }]], // prettier-ignore
    ['its batches', batchRows.logic, batchRows.kind, shown, { known: [row] }, [{ type: 'act', id: 'row-1', act: 'step' }]], // prettier-ignore
    ['its webhooks', webhookRows.logic, webhookRows.kind, shown, { known: [row] }, [{ type: 'act', id: 'row-1', act: 'again' }]], // prettier-ignore
    ['the programs', programs, undefined, { shown: 'listing' }, { name: 'Nightly' }, [{ type: 'token.make' }]],
    ['the programs', programs, undefined, 'asking', { asked: token, tokens: [token] }, [{ type: 'confirm' }]],
  ];
  it.each(inLab)('of %s only reads, and the page says so', async (_, machine, input, value, changes, events) => {
    const context = { ...contextOf(createActor(machine, { input }).getSnapshot() as AnyMachineSnapshot), ...changes };
    const snapshot = machine.resolveState({ value, context });
    for (const event of events) {
      const retry = await tried({ machine, snapshot, event });
      expect([event.type, retry?.says, retry?.does]).toEqual([event.type, 'reads', 'reads']);
    }
  });
});

describe('a retry from the failed states of all charts', () => {
  it.each(journeyOrder)('of %s resends, reads or confirms as its announcement says', (id) => {
    const { machine } = models[id];
    const failed = pathsThrough(models[id]).flatMap(({ start, steps }) => [
      start,
      ...steps.map(({ snapshot }) => snapshot),
    ]);
    for (const snapshot of new Map(failed.map((each) => [stateOf(each), each])).values()) {
      const { failure } = snapshot.context as JourneyContext;
      if (!hasTag(snapshot, 'failed') || !failure || !snapshot.can({ type: 'retry' })) continue;
      const { snapshot: next } = advance(machine, snapshot, { type: 'retry' });
      const effects = effectsIn(machine, next);
      const said = retryOf(snapshot, failure);
      expect([stateOf(snapshot), ['same', 'new'].includes(said)]).toEqual([stateOf(snapshot), sends(machine, next)]);
      if (!sends(machine, next)) expect(said).toBe(effects.length === 0 && !next.hasTag('gate') ? 'confirms' : 'reads');
    }
  });
});

describe('the announcement of a retry', () => {
  const names = Object.keys(calls) as CallName[]; // of the declaration
  it.each(names)('of %s calls it safe only if the call has an idempotency key (behaviour 10.2.2)', (name) => {
    const machine = models.organisation.machine;
    const input = { facts: Object.values(models.organisation.facts)[0] };
    const context = contextOf(createActor(machine, { input }).getSnapshot() as AnyMachineSnapshot);
    const failure: Problem = { ...lost(name), messageId: undefined };
    const snapshot = machine.resolveState({ value: { form: 'refused' }, context: { ...context, failure } });
    const words = retryWords(failure, retryOf(snapshot, failure));
    expect(words.includes('Safe to retry')).toBe('write' in calls[name]);
    expect(words.includes('new request')).toBe(!('write' in calls[name]));
  });

  it('never mentions sending if the retry only reads or asks for confirmation', () => {
    for (const outcome of ['not-sent', 'refused', 'unknown'] as const)
      for (const retry of ['reads', 'confirms'] as const)
        expect(retryWords({ ...lost('createBatch'), outcome }, retry)).not.toMatch(/resends the request|sends a new/);
    expect(retryWords({ ...lost('createBatch'), outcome: 'unknown', code: 'outcome-unknown' }, 'same')).toMatch(
      /nothing/,
    );
  });
});

describe('a message whose response could not be read', () => {
  const waiting = pathsThrough(models.debtor)
    .flatMap(({ steps }) => steps.map(({ snapshot }) => snapshot))
    .filter((snapshot) => stateOf(snapshot) === 'messaging.unanswered');

  it('is called sent only if the service is known to have it', () => {
    const [snapshot] = waiting;
    if (!snapshot) throw new Error('A debtor’s answer is read');
    const invoked = invokedIn(snapshot);
    if (!invoked) throw new Error('Its message has an answer');
    const isSaid = (forwarded: boolean, outcome?: Problem['outcome']) => {
      const failure: Problem = { ...lost('getMessage'), outcome };
      const awaited = { state: 'waiting', detail: '', forwarded };
      const message = { ...contextOf(invoked), failure, outcome: awaited };
      const context = {
        ...contextOf(snapshot),
        failure,
        invoked: invoked.machine.resolveState({ value: 'unanswered', context: message }) as AnyMachineSnapshot,
      };
      return isSent(models.debtor.machine.resolveState({ value: 'messaging', context }) as AnyMachineSnapshot, failure);
    };
    expect(isSaid(true)).toBe(true);
    expect(isSaid(false)).toBe(false);
    // The resend failed.
    for (const outcome of ['not-sent', 'refused', 'unknown'] as const) expect(isSaid(true, outcome)).toBe(false);
  });
});
