import { describe, expect, it } from 'vitest';
import type { ProgramVerdict } from '#contract/programShapes.ts';
import { verdictInterval, verdictMachine } from '#machines/lab/verdict.machine.ts';
import { failure } from '#tests/support/fixtures.ts';
import { describeWatched, run } from '#tests/support/recordedRuns.ts';

const verdict = (more: Partial<ProgramVerdict> = {}) => ({
  connection: null,
  running: null,
  stopped: '',
  webhookAt: '',
  report: {
    command: 'node pay.mjs',
    endedAt: '2026-01-31T09:00:00.000Z',
    ms: 1,
    scenarios: 2,
    checks: [],
    failed: [{ id: 'lost-response', title: 'The response to the batch is lost', calls: [] }],
  },
  ...more,
});
const running = { startedAt: '2026-01-31T09:00:00.000Z', done: 0, of: 1 };
const stale = { type: 'facts.stale' };

const shown = async (more: Partial<ProgramVerdict> = {}) => {
  const page = run(verdictMachine);
  await page.answer('readVerdict', verdict(more));
  return page;
};

describe('the verdict on a program', () => {
  it('is read again every two seconds, and when the page becomes visible (behaviour 10.21.10)', async () => {
    const { at, context, answer, pass, sends } = await shown();
    await pass(verdictInterval);
    expect(at()).toEqual({ shown: 'refreshing' });
    await sends(stale);
    await answer('readVerdict', verdict({ running }));
    expect([at(), (context()['verdict'] as ProgramVerdict).running]).toEqual([{ shown: 'followed' }, running]);
    await sends(stale);
    expect(at()).toEqual({ shown: 'refreshing' });
  });

  it('can be read again after a failure', async () => {
    const first = run(verdictMachine);
    await first.refuse('readVerdict', failure);
    expect(first.at()).toBe('unread');
    await first.sends(stale);
    await first.refuse('readVerdict', failure);
    await first.sends({ type: 'retry' });
    expect([first.at(), first.context()['failure']]).toEqual(['reading', null]);

    const later = await shown();
    await later.sends(stale);
    await later.refuse('readVerdict', failure);
    expect(later.at()).toBe('unread');
  });
});

describeWatched(verdictMachine);
