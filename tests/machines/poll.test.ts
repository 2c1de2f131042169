import { assign, createActor, setup, SimulatedClock } from 'xstate';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { webhookPollInterval } from '#contract/constants.ts';
import { poll, readingIn, type Reading } from '#machines/lib/poll.ts';
import { readOneTexts, supplyEffect, type Wakeups } from '#machines/lib/effect.ts';
import { live, settled } from '#tests/support/deferredPorts.ts';
import { failure } from '#tests/support/fixtures.ts';

/** It is overdue after three intervals. */
const ask = poll<string, string>(readOneTexts('The answer'), { patience: 3 * webhookPollInterval });

/** It polls until an answer is enough, and keeps all that it is told. */
const machine = setup({
  types: { context: {} as { told: Reading<string>[]; error: unknown } },
  actors: { ask },
  guards: { isEnough: (_, { answer }: Reading<string>) => answer === 'enough' },
  actions: {
    keep: assign(({ context }, reading: Reading<string>) => ({
      told: reading.times > 0 || reading.overdue ? [...context.told, reading] : [],
    })),
  },
}).createMachine({
  context: { told: [], error: null },
  initial: 'polling',
  states: {
    polling: {
      invoke: {
        id: 'ask',
        src: 'ask',
        input: 'the question',
        onSnapshot: [
          {
            guard: { type: 'isEnough', params: ({ event }) => readingIn(event) },
            target: 'ended',
            actions: { type: 'keep', params: ({ event }) => readingIn(event) },
          },
          { actions: { type: 'keep', params: ({ event }) => readingIn(event) } },
        ],
        onError: { target: 'failed', actions: assign({ error: ({ event }) => event.error }) },
      },
    },
    ended: {},
    failed: {},
  },
});

function started() {
  const running = live(machine);
  const pass = async (intervals: number) => {
    for (let passed = 0; passed < intervals; passed += 1) await running.pass(webhookPollInterval);
  };
  const now = () => running.actor.getSnapshot();
  return { ...running, pass, now, told: () => now().context.told, asked: () => running.calls.length };
}

describe('a poll', () => {
  it('sends its first request after an interval, and not a moment earlier (behaviour 9.1)', async () => {
    const running = live(machine);
    await running.pass(webhookPollInterval - 1);
    expect(running.calls).toEqual([]);
    await running.pass(1);
    expect(running.pending('ask').input).toBe('the question');
  });

  it('never sends a second request in parallel, and waits an interval after each response', async () => {
    const { calls, answer, pass } = live(machine);
    for (let interval = 0; interval < 5; interval += 1) await pass(webhookPollInterval);
    await pass(webhookPollInterval / 2);
    expect(calls).toHaveLength(1);
    await answer('ask', 'not enough');
    await pass(webhookPollInterval - 1);
    expect(calls).toHaveLength(1);
    await pass(1);
    expect(calls).toHaveLength(2);
  });

  it('tells each response with its number, and ends when its invoker knows enough', async () => {
    const { answer, pass, told, now, asked } = started();
    for (const said of ['nothing', 'nothing yet', 'enough']) {
      await pass(1);
      await answer('ask', said);
    }
    expect(told().map(({ answer, times }) => [answer, times])).toEqual([
      ['nothing', 1],
      ['nothing yet', 2],
      ['nothing yet', 2],
      ['enough', 3],
    ]);
    expect(now().value).toBe('ended');
    await pass(5);
    expect(asked()).toBe(3);
  });

  it.each([
    ['without a response', false],
    ['despite responses', true],
  ])('tells once that it is overdue %s, after its patience and no earlier', async (_, answers) => {
    const { answer, pass, told } = started();
    for (let passed = 0; passed < 3; passed += 1) {
      expect(told().filter(({ overdue }) => overdue)).toEqual([]);
      await pass(1);
      if (answers) await answer('ask', 'not enough');
    }
    expect(told().at(-1)).toMatchObject({ overdue: true, answer: answers ? 'not enough' : null });
    const before = told().length;
    await pass(10);
    expect(told()).toHaveLength(before);
  });

  it('fails if its request fails, and sends no other', async () => {
    const { refuse, pass, now, asked } = started();
    await pass(1);
    await refuse('ask', failure);
    expect(now()).toMatchObject({ value: 'failed', context: { error: failure } });
    await pass(5);
    expect(asked()).toBe(1);
  });

  it.each([
    ['a response', (call: { resolve: (answer: unknown) => void }) => call.resolve('enough')],
    ['a failure', (call: { reject: (problem: typeof failure) => void }) => call.reject(failure)],
  ])('stops and aborts its request when it is stopped, and takes no notice of %s after that', async (_, settle) => {
    // XState warns of what is sent to an actor that has stopped.
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    onTestFinished(() => warn.mockRestore());
    const { actor, pass, calls, asked, told, now } = started();
    await pass(1);
    actor.stop();
    expect(calls[0]?.signal.aborted).toBe(true);
    settle(calls[0]!);
    await settled();
    await pass(5);
    expect([asked(), told(), now().value, warn.mock.calls]).toEqual([1, [], 'polling', []]);
  });

  it('says which effect has no implementation, after an interval', async () => {
    const clock = new SimulatedClock();
    const errors: unknown[] = [];
    const actor = createActor(ask, { id: 'ask', input: '', clock });
    actor.subscribe({ error: (error) => errors.push(error) });
    actor.start();
    clock.increment(webhookPollInterval);
    await settled();
    expect(errors).toEqual([new Error('No implementation was supplied for the effect ask')]);
  });

  it('is declared as an effect that reads, also with an implementation', () => {
    const supplied = supplyEffect(ask, () => Promise.resolve(''));
    expect(supplied.declared).toBe(ask.declared);
    expect(ask.declared).toMatchObject({ kind: 'reads', polls: true, words: readOneTexts('The answer') });
  });
});

/** A poll that can be woken, whose calls wait to be answered. */
function wakeable() {
  const asked: ((answer: string) => void)[] = [];
  const heard: string[] = [];
  let wake: () => void = () => undefined;
  let forgotten = 0;
  const news: Wakeups<string> = (question, wakes) => {
    heard.push(question);
    wake = wakes;
    return () => (forgotten += 1);
  };
  const run = () => new Promise<string>((resolve) => asked.push(resolve));
  const clock = new SimulatedClock();
  const actor = createActor(supplyEffect(ask, Object.assign(run, { news })), { input: 'message-1', clock });
  const answer = async (text: string) => (asked.at(-1)?.(text), settled());
  return { actor: actor.start(), clock, asked, heard, answer, wake: () => wake(), forgotten: () => forgotten };
}

describe('news of a poll', () => {
  it('make it send a request at once, then wait for a whole interval', async () => {
    const { wake, asked, answer, clock } = wakeable();
    clock.increment(webhookPollInterval / 2);
    wake();
    expect(asked).toHaveLength(1);
    await answer('not enough');
    clock.increment(webhookPollInterval - 1);
    expect(asked).toHaveLength(1);
    clock.increment(1);
    expect(asked).toHaveLength(2);
  });

  it('make it send one more request if they arrive during one, however often (behaviour 4.13)', async () => {
    const { wake, asked, answer } = wakeable();
    for (let news = 0; news < 3; news += 1) wake();
    expect(asked).toHaveLength(1);
    await answer('asked before the news');
    expect(asked).toHaveLength(2);
    await answer('asked after it');
    expect(asked).toHaveLength(2);
  });

  it('are heard for its question until it is stopped, and not after that', async () => {
    const { actor, wake, asked, heard, forgotten, clock } = wakeable();
    expect([heard, forgotten()]).toEqual([['message-1'], 0]);
    actor.stop();
    expect(forgotten()).toBe(1);
    wake();
    clock.increment(3 * webhookPollInterval);
    await settled();
    expect(asked).toEqual([]);
  });

  it('are left once, also if a request fails after it was stopped', async () => {
    let forgotten = 0;
    let fail: (error: Error) => void = () => undefined;
    const run = Object.assign(() => new Promise<never>((_, reject) => (fail = reject)), {
      news: () => () => (forgotten += 1),
    });
    const clock = new SimulatedClock();
    const actor = createActor(supplyEffect(ask, run), { input: '', clock }).start();
    clock.increment(webhookPollInterval);
    actor.stop();
    fail(new Error('too late'));
    await settled();
    expect(forgotten).toBe(1);
  });

  it('are no longer heard once it has failed', async () => {
    let forgotten = 0;
    const run = Object.assign(() => Promise.reject(new Error('down')), { news: () => () => (forgotten += 1) });
    const clock = new SimulatedClock();
    const actor = createActor(supplyEffect(ask, run), { input: '', clock });
    actor.subscribe({ error: () => undefined });
    actor.start();
    clock.increment(webhookPollInterval);
    await settled();
    expect([actor.getSnapshot().status, forgotten]).toEqual(['error', 1]);
  });
});
