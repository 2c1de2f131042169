import { createActor, SimulatedClock } from 'xstate';
import { describe, expect, it, vi } from 'vitest';
import { webhookPollInterval } from '#contract/constants.ts';
import { approvalChart, provideApproval } from '#machines/lib/approval.machine.ts';
import { live, settled } from '#tests/support/deferredPorts.ts';

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
