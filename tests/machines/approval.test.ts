import { createActor, SimulatedClock } from 'xstate';
import { describe, expect, it, vi } from 'vitest';
import { answerPatience, webhookPollInterval } from '#contract/constants.ts';
import { approvalChart, provideApproval } from '#machines/lib/approval.machine.ts';
import { live, settled } from '#tests/support/deferredPorts.ts';
import { failure } from '#tests/support/fixtures.ts';

/** Whose answers are numbers; 3 decides. */
const approval = approvalChart<string, number>((known) => known === 3);
const input = { asked: 'subscription-1', known: 0 };

describe('an approval', () => {
  it('knows what it was given and is not overdue, until its first answer', async () => {
    const { actor, pass, answer, pending } = live(approval, { input });
    expect(actor.getSnapshot().context).toMatchObject({ known: 0, overdue: false, failure: null });
    await pass(webhookPollInterval);
    expect(pending('watch').input).toBe('subscription-1');
    expect(actor.getSnapshot().context).toMatchObject({ known: 0, overdue: false });
    await answer('watch', 1);
    expect(actor.getSnapshot().context).toMatchObject({ known: 1, overdue: false });
  });

  it('is overdue after a while, and keeps what it knows', async () => {
    const { actor, pass, answer } = live(approval, { input: { ...input, known: 1 } });
    for (let passed = 0; passed < answerPatience; passed += webhookPollInterval) await pass(webhookPollInterval);
    expect(actor.getSnapshot()).toMatchObject({ value: 'waiting', context: { known: 1, overdue: true } });
    await answer('watch', 2);
    expect(actor.getSnapshot().context).toMatchObject({ known: 2, overdue: true });
  });

  it.each([
    ['is asked for again after what failed on the way', failure, true],
    ['is not asked for again after what was forbidden', { ...failure, code: 'forbidden' as const }, false],
  ])('%s, and its page stays (behaviour 10.2.5)', async (_, problem, isOffered) => {
    const { actor, pass, refuse, send, calls } = live(approval, { input });
    await pass(webhookPollInterval);
    await refuse('watch', problem);
    expect(actor.getSnapshot()).toMatchObject({ value: 'unanswered', context: { known: 0, failure: problem } });
    expect([actor.getSnapshot().hasTag('failed'), actor.getSnapshot().can({ type: 'retry' })]).toEqual([true, isOffered]); // prettier-ignore
    await send({ type: 'retry' });
    await pass(webhookPollInterval);
    expect([actor.getSnapshot().context.failure, calls.length]).toEqual(isOffered ? [null, 2] : [problem, 1]);
  });

  it('polls by the effect that it is given, and ends with the answer that decides', async () => {
    const clock = new SimulatedClock();
    const answers = [1, 2, 3, 4];
    const watch = vi.fn((_asked: string) => Promise.resolve(answers.shift() ?? 0));
    const actor = createActor(provideApproval(approval, watch), { input, clock }).start();
    for (let interval = 0; interval < 5; interval += 1) {
      clock.increment(webhookPollInterval);
      await settled();
    }
    expect(actor.getSnapshot()).toMatchObject({ status: 'done', output: 3 });
    expect(watch.mock.calls.map(([asked]) => asked)).toEqual(Array(3).fill('subscription-1'));
  });
});
