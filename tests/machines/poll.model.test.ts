import { createActor, SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';
import { answerPatience, webhookPollInterval } from '#contract/constants.ts';
import { isPoll, poll, pollMachineOf } from '#machines/lib/poll.ts';
import { readOneTexts, toPromiseLogic, withWakeups } from '#machines/lib/effect.ts';
import { record, simpleLength } from '#tests/support/coverage.ts';
import { live, settled } from '#tests/support/deferredPorts.ts';
import { failure } from '#tests/support/fixtures.ts';
import { modelOf, pathsThrough, simplePathsThrough } from '#tests/support/paths.ts';
import { faultsOf } from '#tests/support/pathsFaults.ts';
import { nowhere, replay } from '#tests/support/pathsReplay.ts';

/** It counts the responses and is overdue after three intervals. */
const machine = pollMachineOf(readOneTexts('The answer'), {
  isEnough: (answer) => answer === 'enough',
  patience: 3 * webhookPollInterval,
});
const model = modelOf(machine)({
  answers: { ask: { 'what is enough': 'enough', 'what is not': 'not enough' }, news: {} },
  events: {},
  reads: ({ waited, woken }) => [Math.min(waited, 4 * webhookPollInterval), woken],
  fails: true,
});
const paths = pathsThrough(model);

describe('the paths through the poll machine', () => {
  it('reach each state and take each transition', async (test) => {
    const walk = nowhere();
    expect(await faultsOf(model, paths, walk)).toEqual([]);
    record(test, 'poll', 'a', { shortest: paths.length, walk });
  });

  it('hold on each simple path', async (test) => {
    const simple = simplePathsThrough(model, simpleLength);
    for (const path of simple) await replay(model, path);
    record(test, 'poll', 'a', { simple: simple.length });
    expect(simple.length).toBeGreaterThan(0);
  });

  it.each(paths.map((path) => [path.name, path] as const))('%s', async (_, path) => {
    await expect(replay(model, path)).resolves.toBeUndefined();
  });
});

/** A poll, and what its invoker sees of it: each answer, whether it is overdue, and what it fails with. */
function started() {
  const errors: unknown[] = [];
  const told: { answer: unknown; overdue: boolean }[] = [];
  const running = live(machine, { input: 'the question' });
  let seen = { times: 0, overdue: false };
  running.actor.subscribe({
    next({ context: { answer, times, overdue }, status }) {
      if (status === 'active' && (times !== seen.times || overdue !== seen.overdue)) told.push({ answer, overdue });
      seen = { times, overdue };
    },
    error: (error) => errors.push(error),
  });
  const asked = () => running.calls.length;
  const pass = async (intervals: number) => {
    for (let passed = 0; passed < intervals; passed += 1) await running.pass(webhookPollInterval);
  };
  return { ...running, told, errors, asked, pass, now: () => running.actor.getSnapshot() };
}

describe('the poll machine', () => {
  it('sends its first request after an interval', async () => {
    const { actor, asked, pending, pass } = started();
    expect(asked()).toBe(0);
    await pass(1);
    expect(pending('ask').input).toBe('the question');
    expect(actor.getSnapshot().value).toEqual({ asking: 'patient' });
  });

  it('never sends a second request in parallel, and waits an interval after each response', async () => {
    const { asked, answer, pass } = started();
    await pass(5);
    expect(asked()).toBe(1);
    await answer('ask', 'not enough');
    expect(asked()).toBe(1);
    await pass(1);
    expect(asked()).toBe(2);
  });

  it('emits each interim response, and returns the final one', async () => {
    const { answer, pass, told, now } = started();
    for (const said of ['nothing', 'nothing yet']) {
      await pass(1);
      await answer('ask', said);
    }
    expect(told.map(({ answer }) => answer)).toEqual(['nothing', 'nothing yet']);
    await pass(1);
    await answer('ask', 'enough');
    expect(now()).toMatchObject({ status: 'done', output: 'enough' });
    expect(told.map(({ overdue }) => overdue)).toEqual([false, false, true]);
  });

  it.each([
    ['without a response', false],
    ['despite interim responses', true],
  ])('emits once that it is overdue %s', async (_, answers) => {
    const { answer, pass, told } = started();
    for (let passed = 0; passed < 3; passed += 1) {
      expect(told.filter(({ overdue }) => overdue)).toEqual([]);
      await pass(1);
      if (answers) await answer('ask', 'not enough');
    }
    expect(told.at(-1)).toMatchObject({ overdue: true, answer: answers ? 'not enough' : null });
    const overdue = told.filter((each) => each.overdue).length;
    if (!answers) await pass(10);
    expect(told.filter((each) => each.overdue)).toHaveLength(overdue);
  });

  it('sends a request at once on a wake-up, then waits for a whole interval', async () => {
    const { actor, asked, answer, pass, send } = started();
    await send({ type: 'poll.wake' });
    expect(asked()).toBe(1);
    await answer('ask', 'not enough');
    expect(actor.getSnapshot().value).toBe('waiting');
    await pass(1);
    expect(asked()).toBe(2);
  });

  it('sends one more request if it was woken during a request, however often (behaviour 4.13)', async () => {
    const { asked, answer, send, told } = started();
    for (let news = 0; news < 3; news += 1) await send({ type: 'poll.wake' });
    expect(asked()).toBe(1);
    await answer('ask', 'asked before the news');
    expect(asked()).toBe(2);
    await answer('ask', 'asked after it');
    expect(asked()).toBe(2);
    expect(told.map((each) => each.answer)).toEqual(['asked before the news', 'asked after it']);
  });

  it('subscribes to wake-ups from its effect’s implementation, until it ends', async () => {
    const heard: { question: unknown; wake: () => void }[] = [];
    let ended = 0;
    const port = poll<string, string>(readOneTexts('The answer'), { isEnough: (answer) => answer === 'enough' });
    const answers = ['not enough', 'enough'];
    const supplied = toPromiseLogic(
      port,
      withWakeups(
        () => Promise.resolve(answers.shift() ?? ''),
        (question, wake) => {
          heard.push({ question, wake });
          return () => (ended += 1);
        },
      ),
    );
    const actor = createActor(supplied, { input: 'message-1', clock: new SimulatedClock() }).start();
    expect(heard.map(({ question }) => question)).toEqual(['message-1']);
    for (const left of [1, 0]) {
      expect(ended).toBe(0);
      heard[0]!.wake();
      await settled();
      expect(answers).toHaveLength(left);
    }
    expect(actor.getSnapshot().output).toBe('enough');
    expect(ended).toBe(1);
    const stopped = createActor(supplied, { input: 'message-2', clock: new SimulatedClock() }).start();
    stopped.stop();
    expect(ended).toBe(2);
  });

  it('fails if its request fails', async () => {
    const { refuse, pass, now, asked, errors } = started();
    await pass(1);
    await refuse('ask', failure);
    expect(errors).toEqual([failure]);
    expect(now()).toMatchObject({ status: 'error', error: failure });
    await pass(5);
    expect(asked()).toBe(1);
  });

  it('stops and aborts its request when it is stopped', async () => {
    const { actor, pass, calls, asked } = started();
    await pass(1);
    actor.stop();
    expect(calls[0]?.signal.aborted).toBe(true);
    await pass(5);
    expect(asked()).toBe(1);
  });

  it('is declared as an effect that reads, and accepts an implementation', async () => {
    const counted = poll<number, number>(readOneTexts('The number'), { isEnough: (answer) => answer > 2 });
    expect(counted.declared).toMatchObject({ kind: 'reads', words: readOneTexts('The number') });
    let times = 0;
    const supplied = toPromiseLogic(counted, (start) => Promise.resolve(start + (times += 1)));
    expect(isPoll(supplied)).toBe(true);
    expect(supplied.declared).toEqual(counted.declared);
    const clock = new SimulatedClock();
    const actor = createActor(supplied, { input: 1, clock }).start();
    for (const output of [undefined, 3]) {
      clock.increment(webhookPollInterval);
      await settled();
      expect(actor.getSnapshot().output).toBe(output);
    }
    expect(answerPatience).toBeGreaterThan(webhookPollInterval);
  });
});
